package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.Timekeeper;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fails the calls that a backend never answers. One look at all of them from time to time costs less than a timer for each,
 * and being exact does not matter here.
 */
final class OverdueCalls {

    /** How much longer a call may wait for a thread than for its answer. */
    private static final int UNSENT = 10;

    private final Timekeeper time;
    private final long limitNanos;
    private final Set<Call<?>> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watching = new AtomicBoolean();

    OverdueCalls(Timekeeper time, long limitNanos) {
        this.time = time;
        this.limitNanos = limitNanos;
    }

    /** The answer to one call of the backend. */
    static final class Call<T> extends CompletableFuture<T> {

        private final SendGate gate;
        private final long since;
        private final @Nullable LockKey key;
        private final @Nullable LockId lockId;

        private Call(SendGate gate, long since, @Nullable LockKey key, @Nullable LockId lockId) {
            this.gate = gate;
            this.since = since;
            this.key = key;
            this.lockId = lockId;
        }

        boolean fail(Throwable failure) {
            return completeExceptionally(Failures.translate(failure, key, lockId));
        }
    }

    /** Begins a call; {@link #watch} is due once it was sent, {@link #forget} once it was answered. */
    <T> Call<T> begin(SendGate gate, @Nullable LockKey key, @Nullable LockId lockId) {
        return new Call<>(gate, time.nanoTime(), key, lockId);
    }

    <T> CompletableFuture<T> watch(Call<T> call) {
        if (!call.isDone()) {
            open.add(call);
            arm();
            if (call.isDone()) {
                open.remove(call); // answered before it was added
            }
        }
        return call;
    }

    void forget(Call<?> call) {
        open.remove(call);
    }

    Stream<LockKey> keys() {
        return open.stream().flatMap(call -> Stream.ofNullable(call.key));
    }

    private void arm() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            try {
                time.schedule(limitNanos / 2, this::look);
            } catch (Throwable e) {
                watching.set(false); // out of threads: the next call tries again
            }
        }
    }

    private void look() {
        watching.set(false);
        long now = time.nanoTime();
        for (Call<?> call : open) {
            long age = now - call.since;
            if (age >= UNSENT * limitNanos || (age >= limitNanos && call.gate.isSent())) {
                giveUp(call);
            }
        }
        if (!open.isEmpty()) {
            arm();
        }
    }

    /** Fails all calls that are still open. */
    void giveUp() {
        open.forEach(this::giveUp);
    }

    private void giveUp(Call<?> call) {
        call.completeExceptionally(failure(call).about(call.key, call.lockId));
        forget(call);
    }

    private static LockException failure(Call<?> call) {
        return call.gate.callBack()
                ? new LockException(Code.RATE_LIMITED, "the operation waited too long for a thread")
                : new LockException(Code.NETWORK_TIMEOUT, "the backend did not answer", null, true);
    }
}
