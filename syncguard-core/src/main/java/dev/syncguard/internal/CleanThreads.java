package dev.syncguard.internal;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates daemon threads that inherit nothing from the thread that happened to cause them: no inheritable thread-locals, and
 * the class loader of this library as their context. Platform threads: virtual ones wait for carriers, which an
 * application may keep busy.
 */
final class CleanThreads implements ThreadFactory {

    private final AtomicInteger count = new AtomicInteger();
    private final String name;
    private final boolean upkeep;

    CleanThreads(String name) {
        this(name, false);
    }

    private CleanThreads(String name, boolean upkeep) {
        this.name = name;
        this.upkeep = upkeep;
    }

    /** Returns a factory of threads that keep leases alive, on which nothing else may run. */
    static CleanThreads upkeep(String name) {
        return new CleanThreads(name, true);
    }

    /** Returns whether the current thread keeps leases alive. */
    static boolean isUpkeep() {
        return Thread.currentThread() instanceof UpkeepThread;
    }

    private static final class UpkeepThread extends Thread {
        UpkeepThread(Runnable task, String name) {
            super(null, task, name, 0, false);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // not relied on, only not inherited
    @Override
    public Thread newThread(Runnable task) {
        String numbered = name + "-" + count.incrementAndGet();
        Thread thread = upkeep ? new UpkeepThread(task, numbered) : new Thread(null, task, numbered, 0, false);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(CleanThreads.class.getClassLoader());
        return thread;
    }
}
