package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is done with tasks that no executor takes, because it is closed or there are no threads. */
final class LastResort {

    private static final long PAUSE_NANOS = 50_000_000;

    private final Timekeeper time;
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    LastResort(Timekeeper time) {
        this.time = time;
    }

    /**
     * Runs a task here rather than not at all; but a thread that keeps leases alive tries again later, because tasks may
     * block, unless there are no leases to be kept alive any more.
     *
     * @param task the task, which runs once
     * @param again hands it over once more
     */
    void run(Runnable task, Runnable again) {
        if (!CleanThreads.isUpkeep() || !isPostponed(task, again)) {
            task.run();
        }
    }

    private boolean isPostponed(Runnable task, Runnable again) {
        waiting.add(task);
        try {
            time.schedule(PAUSE_NANOS, () -> {
                if (waiting.remove(task)) {
                    again.run();
                }
            });
        } catch (Throwable noTimer) {
            return !waiting.remove(task);
        }
        return !closed || !waiting.remove(task); // a timer that has ended runs nothing
    }

    /** The timer has ended: what it was to hand over runs here. */
    void close() {
        closed = true;
        waiting.forEach(task -> {
            if (waiting.remove(task)) {
                task.run();
            }
        });
    }
}
