package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;

/** What is done with a task that no executor takes, because it is closed or there are no threads. */
final class LastResort {

    private static final long PAUSE_NANOS = 50_000_000;

    private LastResort() {}

    /**
     * Runs a task here rather than not at all; but a thread that keeps leases alive tries again later, because tasks may block.
     *
     * @param task the task, which runs once
     * @param again hands it over once more
     */
    static void run(Timekeeper time, Runnable task, Runnable again) {
        if (CleanThreads.isUpkeep()) {
            try {
                time.schedule(PAUSE_NANOS, again);
                return;
            } catch (Throwable closed) {
                // then there are no leases to be kept alive any more
            }
        }
        task.run();
    }
}
