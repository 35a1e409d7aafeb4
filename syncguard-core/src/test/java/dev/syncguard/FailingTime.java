package dev.syncguard;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** A time that is out of threads at one of its calls, before it has taken the task or after. */
final class FailingTime implements Timekeeper {

    private final Timekeeper time;
    private final int failsAt;
    private final boolean before;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean healed;

    FailingTime(Timekeeper time, int failsAt, boolean before) {
        this.time = time;
        this.failsAt = failsAt;
        this.before = before;
    }

    int calls() {
        return calls.get();
    }

    void heal() {
        healed = true;
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public Task schedule(long delayNanos, Runnable task) {
        boolean fails = calls.getAndIncrement() == failsAt && !healed;
        if (fails && before) {
            throw new OutOfMemoryError("injected: unable to create native thread");
        }
        Task scheduled = time.schedule(delayNanos, task);
        if (fails) {
            throw new OutOfMemoryError("injected: unable to create native thread");
        }
        return scheduled;
    }

    @Override
    public void execute(Executor threads, Runnable task) {
        boolean fails = calls.getAndIncrement() == failsAt && !healed;
        if (!fails || !before) {
            time.execute(threads, task);
        }
        if (fails) {
            throw new OutOfMemoryError("injected: unable to create native thread");
        }
    }

    @Override
    public void close() {
        time.close();
    }
}
