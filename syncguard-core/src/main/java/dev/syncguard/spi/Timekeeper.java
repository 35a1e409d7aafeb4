package dev.syncguard.spi;

/**
 * The time of one guard: a monotonic clock and a timer. Replaced in tests, see
 * {@link dev.syncguard.memory.LockSimulator}.
 */
public interface Timekeeper extends AutoCloseable {

    /**
     * Returns the monotonic time.
     *
     * @return as {@link System#nanoTime()}
     */
    long nanoTime();

    /**
     * Runs a quick task later, on the timer's thread.
     *
     * @param delayNanos how much later; at once if not positive
     * @param task what to run; must not block
     * @return cancels it
     */
    Task schedule(long delayNanos, Runnable task);

    /** Ends the timer; what was scheduled does not run any more. */
    @Override
    void close();

    /** Something that was scheduled. */
    @FunctionalInterface
    interface Task {

        /** Does not let it run, if it has not begun. */
        void cancel();
    }
}
