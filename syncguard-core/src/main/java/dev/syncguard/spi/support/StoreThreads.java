package dev.syncguard.spi.support;

/** Creates the threads of a backend: daemons that inherit nothing from the thread that happened to need them first. */
public final class StoreThreads {

    private StoreThreads() {}

    /**
     * Creates a thread, not started.
     *
     * @param name begins with {@code syncguard-} and the name of the store
     * @param task what it runs
     * @return a daemon without inherited thread-locals, with the class loader of the task as its context; a task of the JDK,
     *     which has none, gets that of this library
     */
    @SuppressWarnings("ThreadPriorityCheck") // not relied on, only not inherited
    public static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        ClassLoader ofTask = task.getClass().getClassLoader();
        thread.setContextClassLoader(ofTask != null ? ofTask : StoreThreads.class.getClassLoader());
        return thread;
    }

    /**
     * Starts a thread.
     *
     * @param name as for {@link #daemon}
     * @param task what it runs
     * @return the running thread
     */
    public static Thread start(String name, Runnable task) {
        Thread thread = daemon(name, task);
        thread.start();
        return thread;
    }
}
