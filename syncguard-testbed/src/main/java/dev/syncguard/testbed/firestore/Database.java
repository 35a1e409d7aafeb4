package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.TransactionOptions;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of the server behind one lock.
 *
 * <p>Reads never wait. A commit waits until no other open transaction has read what it changes, and is then applied in one
 * step; so a transaction that commits has seen the newest state of all that it read. Commits that wait for each other are
 * a deadlock: the youngest transaction among them is aborted. A retry that names its predecessor has its age, so it does
 * not starve. Who waits longer than the limit is aborted.
 *
 * <p>An optimistic database reads the state at the begin of a transaction and lets nobody wait; a commit is aborted if what
 * its transaction read has changed since.
 */
final class Database {

    private static final String CONTENTION = "Too much contention on these documents. Please try again.";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ServerClock clock = new ServerClock();
    private final Documents documents = new Documents();
    private final Transactions transactions;
    private final Set<WatchStream> watchers = new LinkedHashSet<>();
    private Duration lockLimit = Duration.ofSeconds(2);

    Database(boolean optimistic) {
        transactions = new Transactions(optimistic);
    }

    void clockOffset(Duration offset) {
        locked(() -> {
            clock.offset(offset);
            transactions.expire(clock.now());
        });
    }

    void lockLimit(Duration limit) {
        locked(() -> lockLimit = limit);
    }

    void clear() {
        locked(() -> {
            transactions.clear();
            documents.clear();
            tellWatchers(clock.next());
        });
    }

    ByteString begin(TransactionOptions options) {
        return locked(() -> beginNow(options).id());
    }

    private Transaction beginNow(TransactionOptions options) {
        return transactions.begin(options, seen(options), clock.now());
    }

    /** Only a pessimistic transaction that may write reads the newest state, and keeps it so. */
    private @Nullable PastState seen(TransactionOptions options) {
        if (options.getReadOnly().hasReadTime()) {
            return past(options.getReadOnly().getReadTime());
        }
        boolean newest = !options.hasReadOnly() && !transactions.isOptimistic();
        return newest ? null : new PastState(documents.version(), clock.next());
    }

    private PastState past(Timestamp time) {
        return new PastState(documents.versionAt(time), time);
    }

    void rollback(ByteString transaction) {
        locked(() -> {
            Transaction.ageOf(transaction);
            transactions.end(transaction);
        });
    }

    <T> T read(Consistency consistency, Function<ReadView, T> body) {
        return locked(() -> body.apply(view(consistency)));
    }

    private ReadView view(Consistency consistency) {
        Transaction transaction = transaction(consistency);
        if (transaction == null) {
            Timestamp time = consistency.readTime();
            return time == null ? newest() : view(past(time), null, ByteString.EMPTY);
        }
        ByteString begun = consistency.begin() == null ? ByteString.EMPTY : transaction.id();
        Transaction locker = transaction.isReadOnly() ? null : transaction;
        PastState seen = transaction.seen();
        return seen == null
                ? new ReadView(documents.current(), clock.next(), locker, begun)
                : view(seen, locker, begun);
    }

    private ReadView view(PastState state, @Nullable Transaction locker, ByteString begun) {
        return new ReadView(documents.asOf(state.version()), state.time(), locker, begun);
    }

    private @Nullable Transaction transaction(Consistency consistency) {
        TransactionOptions begin = consistency.begin();
        if (begin != null) {
            return beginNow(begin);
        }
        ByteString id = consistency.transaction();
        return id == null ? null : transactions.use(id, clock.now());
    }

    CommitResponse commit(ByteString id, List<WriteOperation> writes) {
        return locked(() -> {
            Transaction own = id.isEmpty() ? null : transactions.use(id, clock.now());
            try {
                return commit(own, writes);
            } finally {
                transactions.end(id);
            }
        });
    }

    private CommitResponse commit(@Nullable Transaction own, List<WriteOperation> writes) {
        if (own != null && own.isReadOnly() && !writes.isEmpty()) {
            throw Errors.invalid("Cannot modify entities in a read-only transaction.");
        }
        if (!writes.isEmpty()) {
            checkFresh(own);
        }
        StagedCommit staged = awaitTurn(own, writes);
        documents.apply(staged.changes(), staged.time());
        tellWatchers(staged.time());
        return staged.response();
    }

    private void checkFresh(@Nullable Transaction own) {
        PastState seen = own == null ? null : own.seen();
        if (own != null && seen != null && documents.changedSince(seen.version(), own::protects)) {
            throw Errors.aborted(CONTENTION);
        }
    }

    private StagedCommit awaitTurn(@Nullable Transaction own, List<WriteOperation> writes) {
        long deadline = System.nanoTime() + lockLimit.toNanos();
        try {
            StagedCommit staged = stage(writes);
            while (isBlocked(own, staged.changes())) {
                if (!changed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw Errors.aborted("Transaction lock timeout.");
                }
                staged = stage(writes);
            }
            return staged;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.UNAVAILABLE.withCause(e).asRuntimeException();
        }
    }

    private StagedCommit stage(List<WriteOperation> writes) {
        return StagedCommit.of(writes, documents.current(), clock.next());
    }

    /** Whether others have locked what is to be changed, after the deadlocks that this closes are broken. */
    private boolean isBlocked(@Nullable Transaction own, List<Change> changes) {
        transactions.expire(clock.now());
        if (own != null) {
            own.pending(changes);
            while (transactions.isOpen(own) && transactions.breakCircle(own)) {
                changed.signalAll();
            }
            if (!transactions.isOpen(own)) {
                throw Errors.aborted(CONTENTION);
            }
        }
        return !transactions.blocking(own, changes).isEmpty();
    }

    void watch(WatchStream stream, Runnable change) {
        locked(() -> {
            watchers.add(stream);
            change.run();
        });
    }

    /** The newest state; only for those who hold the lock. */
    ReadView newest() {
        return ReadView.plain(documents.current(), clock.next());
    }

    void unwatch(WatchStream stream) {
        locked(() -> watchers.remove(stream));
    }

    private void tellWatchers(Timestamp time) {
        ReadView view = ReadView.plain(documents.current(), time);
        watchers.forEach(stream -> stream.refresh(view));
    }

    private void locked(Runnable body) {
        locked(() -> {
            body.run();
            return true;
        });
    }

    /** Whatever was done may let a waiting commit go on. */
    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }
}
