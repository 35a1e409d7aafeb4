package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.TransactionOptions;
import com.google.common.util.concurrent.MoreExecutors;
import dev.syncguard.AbortSignal;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run of one transaction, which knows whether its commit may have been sent.
 *
 * <p>The client's own repetition is off: it would hide how the commit before failed, and with that whether it may have
 * been applied. A step that writes nothing has its answer once it has read; the commit that ends such a transaction goes
 * on behind it.
 */
final class Attempt<T> {

    private static final TransactionOptions ONCE = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(1)
            .setExecutor(MoreExecutors.directExecutor())
            .build();

    private enum Phase {
        BEGINNING,
        READING,
        COMMITTING,
        OVER
    }

    private final Step<T> step;
    private final FirestoreClock clock;
    private final AbortSignal signal;
    private final OpenTransactions open;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINNING);
    private final SettableApiFuture<T> decision = SettableApiFuture.create();
    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private volatile @Nullable ApiFuture<T> transaction;
    private volatile long sentMs;

    Attempt(Step<T> step, FirestoreClock clock, AbortSignal signal, OpenTransactions open) {
        this.step = step;
        this.clock = clock;
        this.signal = signal;
        this.open = open;
    }

    /** An optimistic transaction reads what was there when it began, so the clock is taken before that. */
    CompletableFuture<T> start(Firestore firestore) {
        sentMs = clock.millis();
        try {
            ApiFuture<T> started = open.add(firestore.runAsyncTransaction(this::read, ONCE));
            transaction = started;
            ApiFutures.addCallback(started, completing(outcome), MoreExecutors.directExecutor());
        } catch (RuntimeException e) {
            outcome.completeExceptionally(e); // the client was closed
        }
        return outcome;
    }

    private ApiFuture<T> read(Transaction running) {
        if (!phase.compareAndSet(Phase.BEGINNING, Phase.READING)) {
            return ApiFutures.immediateFailedFuture(new CancellationException());
        }
        ApiFutures.addCallback(
                step.read(running),
                new ApiFutureCallback<Reading>() {
                    @Override
                    public void onSuccess(Reading reading) {
                        decide(running, reading, clock.since(sentMs, reading.readTime()));
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        decision.setException(failure);
                    }
                },
                MoreExecutors.directExecutor());
        return decision;
    }

    private void decide(Transaction running, Reading reading, Moment moment) {
        try {
            signal.throwIfAborted();
            T value = step.decide(reading, moment, running);
            if (running.getMutationsSize() == 0) {
                outcome.complete(value);
                decision.set(value);
                return;
            }
            signal.throwIfAborted();
            if (phase.compareAndSet(Phase.READING, Phase.COMMITTING)) {
                decision.set(value);
            }
        } catch (RuntimeException e) {
            outcome.completeExceptionally(e);
            decision.setException(e); // the client rolls back
        }
    }

    /** Nobody waits any more: writes nothing from here on, unless the commit is under way. */
    void stop() {
        if (phase.compareAndSet(Phase.READING, Phase.OVER)) {
            decision.setException(new CancellationException()); // the client rolls back, and so frees what it read
            return;
        }
        phase.compareAndSet(Phase.BEGINNING, Phase.OVER);
        ApiFuture<T> running = transaction;
        if (running != null) {
            running.cancel(true);
        }
    }

    /** Whether a commit with writes may have been sent, and nobody knows what became of it. */
    boolean mayHaveCommitted() {
        return phase.get() == Phase.COMMITTING;
    }

    /** The store says that nothing was applied. */
    void knownToHaveFailed() {
        phase.set(Phase.OVER);
    }

    static <T> ApiFutureCallback<T> completing(CompletableFuture<T> outcome) {
        return new ApiFutureCallback<>() {
            @Override
            public void onSuccess(T value) {
                outcome.complete(value);
            }

            @Override
            public void onFailure(Throwable failure) {
                outcome.completeExceptionally(failure);
            }
        };
    }
}
