package dev.syncguard.sqlite;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who writes next: first come, first served, among the threads of this process and among all processes.
 *
 * <p>This is about fairness only. What excludes writers from each other is SQLite's own lock; a process that passes this
 * queue out of order only makes it less fair.
 */
final class TurnQueue {

    /** One for each lock file in this process, because a process has its file locks as a whole. */
    private static final Map<Path, TurnQueue> QUEUES = new HashMap<>();

    /** How long a file that could not be used is left alone: trying costs time that the operation may need. */
    private static final long RETRY_AFTER = TimeUnit.SECONDS.toNanos(1);

    private static final ReentrantLock REGISTRY = new ReentrantLock();

    private final Path database;
    private final ReentrantLock line = new ReentrantLock(true);
    private int members;
    private boolean complained;
    private long failedAt = System.nanoTime() - RETRY_AFTER;
    private @Nullable PlaceFile places;

    private TurnQueue(Path database) {
        this.database = database;
    }

    static TurnQueue join(Path database) {
        REGISTRY.lock();
        try {
            TurnQueue queue = QUEUES.computeIfAbsent(database, TurnQueue::new);
            queue.members++;
            return queue;
        } finally {
            REGISTRY.unlock();
        }
    }

    void part() {
        REGISTRY.lock();
        try {
            members--;
            if (members > 0) {
                return;
            }
            QUEUES.remove(database);
        } finally {
            REGISTRY.unlock();
        }
        line.lock();
        try {
            closePlaces();
        } finally {
            line.unlock();
        }
    }

    /** Waits for the turn: in this process as long as there is time, then among the processes for half of the rest. */
    void enter(TimeLimit limit) {
        limit.await(nanos -> line.tryLock(nanos, TimeUnit.NANOSECONDS));
        boolean entered = false;
        try {
            takePlace(limit);
            entered = true;
        } finally {
            if (!entered) {
                line.unlock();
            }
        }
    }

    private void takePlace(TimeLimit limit) {
        if (places == null && System.nanoTime() - failedAt < RETRY_AFTER) {
            return;
        }
        try {
            if (places == null) {
                places = PlaceFile.open(database);
            }
            places.take(limit);
        } catch (IOException | IllegalArgumentException | InternalError e) {
            // A full disk, a folder without permission, a file that is not ours, numbers that are no places, locks of
            // another program, or the mapped file was cut off (that is the error). If it matters, SQLite will say
            // so;
            // else this turn is not fair.
            closePlaces();
            failedAt = System.nanoTime();
            complain(e);
        }
    }

    private void complain(Throwable reason) {
        if (!complained) {
            complained = true;
            System.getLogger("dev.syncguard")
                    .log(
                            Level.WARNING,
                            "the file {0}-queue cannot be used: {1}; locks stay exclusive, but processes that write take"
                                    + " turns in no fair order until it is deleted or its owner and permissions are those"
                                    + " of the lock file",
                            database,
                            reason.getMessage());
        }
    }

    void leave() {
        try {
            if (places != null) {
                places.leave();
            }
        } catch (IOException e) {
            closePlaces();
        } finally {
            line.unlock();
        }
    }

    private void closePlaces() {
        PlaceFile closing = places;
        places = null;
        if (closing != null) {
            closing.close();
        }
    }
}
