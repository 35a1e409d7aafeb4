package dev.syncguard.internal;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Renews leases on a store that can only block. Its threads start with the first lease that is renewed and stay while there
 * are any: at the moment of a renewal no thread has to be started, which might fail then.
 */
final class UpkeepPool {

    private final ThreadPoolExecutor pool;
    private final ReentrantLock lock = new ReentrantLock();
    private int leases;

    UpkeepPool(int threads) {
        pool = new ThreadPoolExecutor(
                threads,
                threads,
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
        pool.execute(new Renewal(deadline, repeated, task));
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
