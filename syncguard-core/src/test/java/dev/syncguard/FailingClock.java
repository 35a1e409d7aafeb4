package dev.syncguard;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** A clock that fails once, in the middle of what the guard does between its calls of the backend: read, or a timer cancelled. */
final class FailingClock implements Timekeeper {

    private final Timekeeper time;
    private final int failsAt;
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean healed;

    FailingClock(Timekeeper time, int failsAt) {
        this.time = time;
        this.failsAt = failsAt;
    }

    int looks() {
        return looks.get();
    }

    void heal() {
        healed = true;
    }

    private void look() {
        if (looks.getAndIncrement() == failsAt && !healed) {
            throw new OutOfMemoryError("injected: Java heap space");
        }
    }

    @Override
    public long nanoTime() {
        look();
        return time.nanoTime();
    }

    @Override
    public Task schedule(long delayNanos, Runnable task) {
        Task scheduled = time.schedule(delayNanos, task);
        return () -> {
            look();
            scheduled.cancel();
        };
    }

    @Override
    public void execute(Executor threads, Runnable task) {
        time.execute(threads, task);
    }

    @Override
    public void close() {
        time.close();
    }
}
