package dev.syncguard.firestore;

import dev.syncguard.spi.support.StoreThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs something after a while, on threads of its own: an application may have blocked all of the JVM's common pool. */
final class Later {

    private static final long KEEP_SECONDS = 5;

    private static final Executor THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            KEEP_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> StoreThreads.daemon("syncguard-firestore-later", task));

    private Later() {}

    static void run(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, THREADS).execute(task);
    }
}
