package dev.syncguard.internal;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one guard besides its timer. They start when there is work and end when there is none.
 *
 * <p>Three pools, so that nothing that must go on waits for something that may block: renewals and releases never queue
 * behind acquires, and neither queues behind a user's callback.
 */
final class Workers implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final int QUEUE_LIMIT = 100_000;

    private final ThreadPoolExecutor acquires;
    private final ThreadPoolExecutor upkeep;
    private final ThreadPoolExecutor callbacks;

    Workers(int threads) {
        acquires = pool(threads, virtual("syncguard-acquire"));
        upkeep = pool(threads, virtual("syncguard-upkeep"));
        callbacks = pool(threads, daemons("syncguard-callback"));
    }

    private static ThreadPoolExecutor pool(int threads, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE_LIMIT), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Virtual threads where the JDK has them (21), found by reflection because this is compiled for 17. */
    private static ThreadFactory virtual(String name) {
        try {
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, name + "-", 1L);
            return (ThreadFactory) type.getMethod("factory").invoke(named);
        } catch (ReflectiveOperationException e) {
            return daemons(name);
        }
    }

    static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs blocking acquires and look-ups, and the next step of acquires that wait without a thread. */
    Executor acquires() {
        return acquires;
    }

    /** Runs blocking releases and extensions. */
    Executor upkeep() {
        return upkeep;
    }

    /** Runs code of the user, whose failures are logged and go no further. */
    void callback(String what, Runnable callback) {
        try {
            callbacks.execute(() -> {
                try {
                    callback.run();
                } catch (RuntimeException | Error e) {
                    LOGGER.log(Level.WARNING, "the " + what + " handler threw", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOGGER.log(Level.WARNING, "the " + what + " handler was not run: the guard is closed or its queue is full");
        }
    }

    /** Ends the pools; what is queued already still runs, so that no stage stays incomplete. */
    @Override
    public void close() {
        acquires.shutdown();
        upkeep.shutdown();
        callbacks.shutdown();
    }
}
