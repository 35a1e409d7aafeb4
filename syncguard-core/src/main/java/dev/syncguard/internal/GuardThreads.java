package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one guard besides its timer, by what they are for (decision E5). No kind waits for another task of its own
 * kind, and what keeps leases alive shares a thread with nothing else.
 */
final class GuardThreads implements AutoCloseable {

    private static final int BACKGROUND_THREADS = 4;
    private static final int COMPLETION_THREADS = 256;
    private static final int QUEUE_LIMIT = 100_000;

    private final ThreadPoolExecutor acquires;
    private final ThreadPoolExecutor releases;
    private final ThreadPoolExecutor background;
    private final GrowingPool completion;
    private final UpkeepPool upkeep;
    private final LastResort lastResort;

    GuardThreads(int threads, Timekeeper time) {
        acquires = pool(threads, "syncguard-acquire");
        releases = pool(threads, "syncguard-release");
        background = pool(Math.min(threads, BACKGROUND_THREADS), "syncguard-background");
        upkeep = new UpkeepPool(threads);
        lastResort = new LastResort(time);
        completion = new GrowingPool("syncguard-completion", COMPLETION_THREADS, time);
    }

    private static ThreadPoolExecutor pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE_LIMIT), new CleanThreads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Runs blocking acquires and lookups of the asynchronous view. */
    Executor acquires() {
        return acquires;
    }

    /** Runs blocking releases and extensions of the asynchronous view, which never queue behind acquires. */
    Executor releases() {
        return releases;
    }

    /** Runs renewals on a store that can only block. */
    UpkeepPool upkeep() {
        return upkeep;
    }

    /** Runs compensations and repeated releases. */
    Executor background() {
        return background;
    }

    /** Runs code of the application, and logging. */
    Executor completion() {
        return completion;
    }

    /** Deals with what none of them takes. */
    LastResort lastResort() {
        return lastResort;
    }

    /** Ends the pools, after the timer; what is queued already still runs, so that no stage stays incomplete. */
    @Override
    public void close() {
        acquires.shutdown();
        releases.shutdown();
        background.shutdown();
        upkeep.shutdown();
        completion.shutdown();
        lastResort.close();
    }
}
