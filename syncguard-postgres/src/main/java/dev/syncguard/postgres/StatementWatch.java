package dev.syncguard.postgres;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Cancels statements that take too long, for all backends of this JVM. The driver's own time limit does the same, but
 * wakes a thread for every statement; this one looks around twenty times a second while there is something to watch.
 */
final class StatementWatch implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final StatementWatch SHARED = new StatementWatch();
    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int LOOKS_BEFORE_REST = 20;

    private final Map<Statement, Long> deadlines = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this, "syncguard-postgres-watch");
    private volatile boolean resting;

    private StatementWatch() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Cancels the statement after a time, unless {@link #done} comes first. */
    static void cancelAfter(Statement statement, long millis) {
        SHARED.deadlines.put(statement, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
        // Either the thread sees the new entry before it rests, or we see that it rests.
        if (SHARED.resting) {
            LockSupport.unpark(SHARED.thread);
        }
    }

    static void done(Statement statement) {
        SHARED.deadlines.remove(statement);
    }

    @Override
    public void run() {
        int idle = 0;
        while (true) {
            idle = deadlines.isEmpty() ? idle + 1 : 0;
            if (idle < LOOKS_BEFORE_REST) {
                LockSupport.parkNanos(LOOK_EVERY);
            } else {
                resting = true;
                if (deadlines.isEmpty()) {
                    LockSupport.park();
                }
                resting = false;
            }
            deadlines.forEach(this::cancelIfLate);
        }
    }

    private void cancelIfLate(Statement statement, long deadline) {
        if (System.nanoTime() - deadline < 0 || !deadlines.remove(statement, deadline)) {
            return;
        }
        try {
            statement.cancel();
        } catch (SQLException | RuntimeException e) {
            LOGGER.log(Level.DEBUG, "a statement could not be cancelled; its socket gives up soon", e);
        }
    }
}
