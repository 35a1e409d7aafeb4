package dev.syncguard.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.Firestore;
import com.google.common.util.concurrent.MoreExecutors;
import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a step until it has an answer: reads, decides, and commits on condition that nothing it read has changed; after a
 * conflict again from the reads, for a bounded time (A12).
 *
 * <p>A conflict is always followed by a read, and never the last word: the client repeats a commit by itself after
 * UNAVAILABLE, so the conflict may be with this step's own commit, whose effect the read then finds. A run that ends before
 * that read is {@link #unsure} of it.
 */
final class StepRun<T> {

    private static final long MILLI = 1_000_000;
    private static final long FIRST_PAUSE = 20 * MILLI;
    private static final long LONGEST_PAUSE = 1600 * MILLI;

    private enum Phase {
        READING,
        COMMITTING,
        OVER
    }

    private final Firestore firestore;
    private final Step<T> step;
    private final FirestoreClock clock;
    private final AbortSignal signal;
    private final long limitNanos;
    private final long repeatNanos;
    private final long start = System.nanoTime();
    private final Interrupts interrupts = new Interrupts();
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.READING);
    private volatile @Nullable ApiFuture<?> request;
    private volatile @Nullable LockException conflict;
    private volatile boolean unsure;
    private volatile long pause = FIRST_PAUSE;

    StepRun(FirestoreCalls calls, Step<T> step, AbortSignal signal, long repeatNanos) {
        this.firestore = calls.firestore();
        this.clock = calls.clock();
        this.step = step;
        this.signal = signal;
        this.limitNanos = calls.timeout().toNanos();
        this.repeatNanos = Math.min(repeatNanos, limitNanos / 4 * 3); // the rest is for the last read
    }

    CompletableFuture<T> start() {
        CompletableFuture<T> result = done.orTimeout(limitNanos, TimeUnit.NANOSECONDS)
                .handle((value, failure) -> {
                    if (failure != null) {
                        throw ended(failure);
                    }
                    return value;
                });
        read();
        return result;
    }

    private void read() {
        long sentMs = clock.millis();
        send(step::read, reading -> decide(reading, clock.since(sentMs, reading.readTime())));
    }

    private void decide(Reading reading, Moment moment) {
        signal.throwIfAborted();
        LockException met = conflict;
        ConditionalWrites writes = new ConditionalWrites(firestore.batch(), met != null);
        T value = step.decide(reading, moment, writes);
        unsure = false;
        if (writes.isEmpty()) {
            done.complete(value);
        } else if (met != null && System.nanoTime() - start >= repeatNanos) {
            done.completeExceptionally(met);
        } else if (phase.compareAndSet(Phase.READING, Phase.COMMITTING)) {
            send(writes::commit, committed -> done.complete(value));
        }
    }

    private <R> void send(Supplier<ApiFuture<R>> call, Consumer<R> next) {
        try {
            ApiFuture<R> sent = call.get();
            request = sent;
            if (phase.get() == Phase.OVER) {
                sent.cancel(true); // the time was up while it was sent
            }
            ApiFutures.addCallback(sent, callback(next), MoreExecutors.directExecutor());
        } catch (RuntimeException e) {
            done.completeExceptionally(e); // the client was closed
        }
    }

    private <R> ApiFutureCallback<R> callback(Consumer<R> next) {
        return new ApiFutureCallback<>() {
            @Override
            public void onSuccess(R reply) {
                try {
                    next.accept(reply);
                } catch (RuntimeException e) {
                    done.completeExceptionally(e);
                }
            }

            @Override
            public void onFailure(Throwable failure) {
                failed(failure);
            }
        };
    }

    private void failed(Throwable failure) {
        boolean committing = phase.get() == Phase.COMMITTING;
        boolean interrupted = interrupts.isCause(failure);
        if (!interrupted && !FirestoreErrors.isConflict(failure, committing)) {
            done.completeExceptionally(failure);
            return;
        }
        LockException met = interrupted ? FirestoreErrors.interrupted(failure) : FirestoreErrors.conflict(failure);
        if (committing || !interrupted) {
            conflict = met;
        }
        long rest = repeatNanos - (System.nanoTime() - start);
        if (committing) {
            unsure = true; // before the phase changes: one of the two says so at any time
            phase.compareAndSet(Phase.COMMITTING, Phase.READING);
        } else if (rest <= 0) {
            done.completeExceptionally(met);
            return;
        }
        // Full jitter: clients that met once would otherwise meet again.
        long wait = Math.min(ThreadLocalRandom.current().nextLong(pause), Math.max(0, rest));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        Later.run(wait, this::repeat);
    }

    private void repeat() {
        try {
            signal.throwIfAborted();
        } catch (LockException e) {
            done.completeExceptionally(e);
            return;
        }
        if (phase.get() == Phase.READING) {
            read();
        }
    }

    /** Ends the run: from here on no commit is sent. */
    private LockException ended(Throwable failure) {
        boolean committing = phase.getAndSet(Phase.OVER) == Phase.COMMITTING;
        ApiFuture<?> last = request;
        if (last != null) {
            last.cancel(true); // otherwise the client goes on repeating it
        }
        LockException met = conflict;
        LockException ended = failure instanceof TimeoutException && met != null && !committing
                ? met
                : FirestoreErrors.translate(failure, committing);
        return unsure ? FirestoreErrors.unknown(ended) : ended;
    }
}
