package dev.syncguard.spi;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * The time of one guard: clocks, a timer, and how its work is handed to threads. Replaced in tests, see
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
     * Returns the time of day, which goes on while the machine is suspended.
     *
     * @return as {@link System#currentTimeMillis()}
     */
    default long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    /**
     * Runs a quick task later, on the timer's thread.
     *
     * @param delayNanos how much later; at once if not positive
     * @param task what to run; must not block
     * @return cancels it
     */
    Task schedule(long delayNanos, Runnable task);

    /**
     * Parks the calling thread, which waits for a lock, until it is unparked; may return for no reason.
     *
     * @param blocker what the thread waits for
     */
    default void park(Object blocker) {
        LockSupport.park(blocker);
    }

    /**
     * Hands work of the guard to its threads. A simulated time runs it at once, on the caller's thread.
     *
     * @param threads where it belongs
     * @param task the work
     */
    default void execute(Executor threads, Runnable task) {
        threads.execute(task);
    }

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
