package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs code of the application: quick tasks share one thread, blocked ones do not hold up the rest.
 *
 * <p>Waking a thread for each task would cost more than most tasks. So a task that finds another one unfinished only sets a
 * timer: if tasks still wait some looks later, there are further threads. As many as the machine has processors if tasks are
 * merely many; more and more, up to the limit, if none has made progress.
 */
final class GrowingPool implements Executor {

    private static final long LOOK_NANOS = 1_000_000;

    /** A thread that lost its processor for a while is not blocked. */
    private static final int LOOKS = 10;

    private final Timekeeper time;
    private final int limit;
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong finished = new AtomicLong();
    private final AtomicBoolean watching = new AtomicBoolean();
    private final ThreadPoolExecutor pool;
    private long addedBefore; // as of the last look; only the watch, of which there is one, uses them
    private long takenBefore;
    private int looksWithoutProgress;
    private int looksWithBacklog;

    GrowingPool(String name, int limit, Timekeeper time) {
        this.time = time;
        this.limit = limit;
        pool =
                new ThreadPoolExecutor(
                        1, limit, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new CleanThreads(name)) {
                    @Override
                    protected void beforeExecute(Thread thread, Runnable task) {
                        taken.incrementAndGet();
                    }

                    @Override
                    protected void afterExecute(Runnable task, Throwable thrown) {
                        finished.incrementAndGet();
                    }
                };
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        long before = added.getAndIncrement();
        try {
            pool.execute(task);
        } catch (Throwable e) {
            added.decrementAndGet();
            throw e;
        }
        if (before > finished.get()) {
            watch();
        }
    }

    private void watch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            looksWithoutProgress = 0;
            looksWithBacklog = 0;
            remember();
            lookLater();
        }
    }

    private void remember() {
        addedBefore = added.get();
        takenBefore = taken.get();
    }

    private void lookLater() {
        try {
            time.schedule(LOOK_NANOS, this::look);
        } catch (Throwable e) {
            watching.set(false);
            growAtOnce(1);
        }
    }

    /** There is no timer any more, or no thread for it: better a thread too many than a task that waits for ever. */
    private void growAtOnce(int more) {
        try {
            grow(pool.getPoolSize() + more);
        } catch (Throwable e) {
            // no thread at all: a thread that gets free goes on
        }
    }

    private void look() {
        if (pool.getQueue().isEmpty()) {
            pool.setCorePoolSize(1);
            watching.set(false);
            if (!pool.getQueue().isEmpty()) {
                watch(); // a task that came in between relied on this watch
            }
            return;
        }
        looksWithoutProgress = taken.get() == takenBefore ? looksWithoutProgress + 1 : 0;
        looksWithBacklog = taken.get() < addedBefore ? looksWithBacklog + 1 : 0;
        try {
            if (looksWithoutProgress >= LOOKS) {
                looksWithoutProgress = 0;
                grow(2 * pool.getPoolSize());
            } else if (looksWithBacklog >= LOOKS) {
                looksWithBacklog = 0;
                grow(Math.min(pool.getPoolSize() + 1, Runtime.getRuntime().availableProcessors()));
            }
        } catch (Throwable e) {
            // out of threads, perhaps only now: a later look tries again
        }
        remember();
        lookLater();
    }

    private void grow(int threads) {
        int wanted = Math.min(limit, threads);
        if (wanted > pool.getCorePoolSize()) {
            pool.setCorePoolSize(wanted);
        } else {
            pool.prestartCoreThread(); // one that ended for lack of work may have left a task behind
        }
    }

    /** Takes nothing new; what is queued still runs, and waits for no blocked task. */
    void shutdown() {
        growAtOnce(pool.getQueue().size());
        pool.shutdown();
    }
}
