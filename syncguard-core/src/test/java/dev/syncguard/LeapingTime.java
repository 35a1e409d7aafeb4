package dev.syncguard;

import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** A time that leaps: a pause of the process, as its threads see it when they go on. */
final class LeapingTime implements Timekeeper {

    private final Timekeeper time = new SystemTimekeeper();
    private final Thread thread = Thread.currentThread();
    private int leapsAt = -1;
    private int calls;
    private final AtomicLong leapt = new AtomicLong();

    /** Leaps now. */
    void leap() {
        leapt.addAndGet(3_600_000_000_000L);
    }

    /** Leaps before one of the calls that this thread makes from now on; never if that is negative. */
    void leapAt(int call) {
        leapsAt = call;
        calls = 0;
    }

    /** Returns how many calls this thread has made since then. */
    int calls() {
        return calls;
    }

    private void call() {
        if (Thread.currentThread() == thread && calls++ == leapsAt) {
            leap();
        }
    }

    @Override
    public long nanoTime() {
        call();
        return time.nanoTime() + leapt.get();
    }

    @Override
    public Task schedule(long delayNanos, Runnable task) {
        call();
        return time.schedule(delayNanos, task);
    }

    @Override
    public void execute(Executor threads, Runnable task) {
        call();
        time.execute(threads, task);
    }

    @Override
    public void close() {
        time.close();
    }
}
