package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The real time: {@link System#nanoTime()} and one daemon thread, which starts with the first task and stays. */
public final class SystemTimekeeper implements Timekeeper {

    private final ScheduledThreadPoolExecutor executor;

    /** Creates a timekeeper; its thread starts later, when it is needed. */
    public SystemTimekeeper() {
        this(CleanThreads.upkeep("syncguard-timer"));
    }

    SystemTimekeeper(ThreadFactory threads) {
        executor = new ScheduledThreadPoolExecutor(1, threads);
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Task schedule(long delayNanos, Runnable task) {
        executor.prestartCoreThread(); // out of threads: fails before the executor keeps the task
        try {
            Future<?> future = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // closed: nothing runs any more
        }
    }

    /** For tests. */
    int waiting() {
        return executor.getQueue().size();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
