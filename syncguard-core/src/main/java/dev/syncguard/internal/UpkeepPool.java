package dev.syncguard.internal;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Renews leases on a store that can only block. Its threads start with the first lease that is renewed and stay while there
 * are any: at the moment of a renewal no thread has to be started, which might fail then.
 *
 * <p>A store that does not answer for some keys would occupy all of them. So a renewal that has waited for long adds a
 * thread, up to a limit; they go when they are not needed any more.
 */
final class UpkeepPool {

    /** How many times the usual number of threads there may be while calls hang. */
    private static final int GROWTH = 16;

    private final int threads;
    private final ThreadPoolExecutor pool;
    private final ReentrantLock lock = new ReentrantLock();
    private int leases;

    UpkeepPool(int threads) {
        this.threads = threads;
        pool = new ThreadPoolExecutor(
                threads,
                GROWTH * threads,
                5,
                TimeUnit.SECONDS,
                new PriorityBlockingQueue<>(),
                CleanThreads.upkeep("syncguard-upkeep"));
        pool.allowCoreThreadTimeOut(true);
    }

    /** Keeps the threads from now on. */
    void retain() {
        lock.lock();
        try {
            if (leases == 0) {
                pool.allowCoreThreadTimeOut(false);
                pool.prestartAllCoreThreads();
            }
            leases++;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the threads end after a while, if no other lease keeps them. */
    void release() {
        lock.lock();
        try {
            if (--leases == 0) {
                pool.allowCoreThreadTimeOut(true);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a renewal; of those that wait, the one whose lease has the earliest deadline goes first.
     *
     * @param repeated whether an earlier one of the same lease is not answered: such do not keep up the others
     */
    void execute(long deadline, boolean repeated, Runnable task) {
        if (pool.getCorePoolSize() > threads) {
            shrink();
        }
        pool.execute(new Renewal(deadline, repeated, task));
    }

    /** A renewal has waited for a thread for long: the others do not answer. */
    void grow() {
        lock.lock();
        try {
            int wanted = Math.min(GROWTH * threads, pool.getPoolSize() + 1);
            if (wanted > pool.getCorePoolSize() && !pool.getQueue().isEmpty()) {
                pool.setCorePoolSize(wanted);
                pool.prestartAllCoreThreads();
            }
        } catch (Throwable e) {
            pool.setCorePoolSize(Math.max(threads, pool.getPoolSize())); // out of threads: one that gets free goes on
        } finally {
            lock.unlock();
        }
    }

    /** Lets additional threads go once the usual ones suffice. */
    private void shrink() {
        lock.lock();
        try {
            if (pool.getQueue().isEmpty() && pool.getActiveCount() < threads) {
                pool.setCorePoolSize(threads);
            }
        } finally {
            lock.unlock();
        }
    }

    private record Renewal(long deadline, boolean repeated, Runnable task) implements Runnable, Comparable<Renewal> {

        @Override
        public void run() {
            task.run();
        }

        @Override
        public int compareTo(Renewal other) {
            return repeated != other.repeated
                    ? Boolean.compare(repeated, other.repeated)
                    : Long.signum(deadline - other.deadline);
        }
    }

    void shutdown() {
        pool.shutdown();
    }
}
