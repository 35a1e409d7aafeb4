package dev.syncguard.redis;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends asynchronous calls that get no answer. All have the same timeout, so the oldest one stands first, and one task for
 * all of them is enough; it rests while there are none.
 */
final class RedisTimeouts {

    private final ConcurrentLinkedQueue<RedisCall> calls = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final ScheduledExecutorService timer;
    private final long timeoutNanos;

    RedisTimeouts(Duration timeout, ScheduledExecutorService timer) {
        this.timeoutNanos = timeout.toNanos();
        this.timer = timer;
    }

    void watch(RedisCall call) {
        calls.add(call);
        RedisCall first = calls.peek();
        while (first != null && first.isDone()) {
            calls.remove(first);
            first = calls.peek();
        }
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** Ends one call that has less time than the others. */
    void watch(RedisCall call, long nanos) {
        later(nanos, () -> call.completeExceptionally(new TimeoutException()));
    }

    /** Runs something that does not block after a while. */
    void later(long nanos, Runnable action) {
        if (nanos <= 0) {
            action.run();
        } else {
            var unused = timer.schedule(action, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void schedule() {
        var unused = timer.schedule(this::sweep, Math.max(1_000_000, timeoutNanos / 10), TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        long now = System.nanoTime();
        RedisCall first = calls.peek();
        while (first != null && (first.isDone() || now - first.createdNanos() > timeoutNanos)) {
            calls.remove(first);
            first.completeExceptionally(new TimeoutException());
            first = calls.peek();
        }
        if (first == null) {
            sweeping.set(false);
            if (calls.isEmpty() || !sweeping.compareAndSet(false, true)) {
                return;
            }
        }
        schedule();
    }
}
