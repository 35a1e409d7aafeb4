package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import org.jspecify.annotations.Nullable;

/** Cancels what a timer was to run. */
final class Cancelling {

    private Cancelling() {}

    /**
     * Cancels a task, if there is one. Never throws: it is the last step of something that is over, and a task that runs all
     * the same finds that out.
     */
    static void quietly(Timekeeper.@Nullable Task task) {
        if (task != null) {
            try {
                task.cancel();
            } catch (Throwable e) {
                // It runs, and finds nothing to do.
            }
        }
    }
}
