package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a step until it has an answer: again after a conflict with another transaction, for a bounded time (A12).
 *
 * <p>Only ABORTED is repeated, because only then nothing was applied for certain. When the time is up, whoever swaps
 * {@link #current} out first decides: an attempt is either stopped here, or never begins.
 */
final class TransactionRun<T> {

    private static final long MILLI = 1_000_000;
    private static final long FIRST_PAUSE = 100 * MILLI;
    private static final long LONGEST_PAUSE = 1600 * MILLI;

    private final Firestore firestore;
    private final Supplier<Attempt<T>> attempts;
    private final AbortSignal signal;
    private final long limitNanos;
    private final long repeatNanos;
    private final long start = System.nanoTime();
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private final AtomicReference<@Nullable Attempt<T>> current = new AtomicReference<>();
    private volatile @Nullable Throwable lastConflict;
    private long pause = FIRST_PAUSE;

    TransactionRun(
            Firestore firestore, Supplier<Attempt<T>> attempts, AbortSignal signal, long limitNanos, long repeatNanos) {
        this.firestore = firestore;
        this.attempts = attempts;
        this.signal = signal;
        this.limitNanos = limitNanos;
        this.repeatNanos = Math.min(repeatNanos, limitNanos);
    }

    CompletableFuture<T> start() {
        CompletableFuture<T> result = done.orTimeout(limitNanos, TimeUnit.NANOSECONDS)
                .handle((value, failure) -> {
                    if (failure != null) {
                        throw translate(failure);
                    }
                    return value;
                });
        Attempt<T> first = attempts.get();
        current.set(first);
        run(first);
        return result;
    }

    private void run(Attempt<T> attempt) {
        var unused = attempt.start(firestore).whenComplete((value, failure) -> {
            if (failure == null) {
                done.complete(value);
            } else if (FirestoreErrors.isConflict(failure)) {
                attempt.knownToHaveFailed();
                lastConflict = failure;
                repeatLater(attempt, failure);
            } else {
                done.completeExceptionally(failure);
            }
        });
    }

    private void repeatLater(Attempt<T> last, Throwable failure) {
        // Full jitter: those who met once would otherwise meet again, and the store takes its time to part them.
        long wait = ThreadLocalRandom.current().nextLong(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        if (System.nanoTime() - start + wait >= repeatNanos) {
            done.completeExceptionally(failure);
            return;
        }
        CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS).execute(() -> repeat(last));
    }

    private void repeat(Attempt<T> last) {
        try {
            signal.throwIfAborted();
        } catch (LockException e) {
            done.completeExceptionally(e);
            return;
        }
        Attempt<T> next = attempts.get();
        if (current.compareAndSet(last, next)) {
            run(next);
        }
    }

    private LockException translate(Throwable failure) {
        Attempt<T> last = current.getAndSet(null);
        boolean mayHaveCommitted = last != null && last.mayHaveCommitted();
        if (failure instanceof TimeoutException && last != null) {
            last.stop();
            mayHaveCommitted = last.mayHaveCommitted();
            Throwable conflict = lastConflict;
            if (conflict != null && !mayHaveCommitted) {
                return FirestoreErrors.translate(conflict, false);
            }
        }
        return FirestoreErrors.translate(failure, mayHaveCommitted);
    }
}
