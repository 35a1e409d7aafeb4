package dev.syncguard.redis;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends asynchronous calls that get no answer. All have the same timeout, so the oldest one stands first. */
final class RedisTimeouts implements AutoCloseable {

    private final ConcurrentLinkedQueue<RedisCall> calls = new ConcurrentLinkedQueue<>();
    private final long timeoutNanos;
    private final ScheduledFuture<?> sweep;

    RedisTimeouts(Duration timeout, ScheduledExecutorService timer) {
        this.timeoutNanos = timeout.toNanos();
        long period = Math.max(1, timeout.toMillis() / 10);
        this.sweep = timer.scheduleWithFixedDelay(this::sweep, period, period, TimeUnit.MILLISECONDS);
    }

    void watch(RedisCall call) {
        calls.add(call);
        RedisCall first = calls.peek();
        while (first != null && first.isDone()) {
            calls.remove(first);
            first = calls.peek();
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        RedisCall first = calls.peek();
        while (first != null && (first.isDone() || now - first.createdNanos() > timeoutNanos)) {
            calls.remove(first);
            first.completeExceptionally(new TimeoutException());
            first = calls.peek();
        }
    }

    @Override
    public void close() {
        sweep.cancel(false);
    }
}
