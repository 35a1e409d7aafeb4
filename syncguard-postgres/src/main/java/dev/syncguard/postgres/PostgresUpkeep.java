package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.spi.StoreDiagnostics;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a backend does beside its operations: one look at the settings, and the cleanup if it was asked for. */
final class PostgresUpkeep implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long CLEANUP_EVERY = TimeUnit.SECONDS.toNanos(10);
    private static final long CLEANUP_ROWS = 1000;

    private final PostgresConnections connections;
    private final PostgresStatements statements;
    private final StoreDiagnostics diagnostics;
    private final @Nullable Duration cleanupGuard;
    private final AtomicBoolean reported = new AtomicBoolean();
    private final AtomicLong nextCleanup = new AtomicLong(System.nanoTime());

    /** One thread while there is work; what does not fit is dropped, for it comes again. */
    private final ThreadPoolExecutor worker = new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(2),
            PostgresUpkeep::daemon,
            new ThreadPoolExecutor.DiscardPolicy());

    PostgresUpkeep(
            PostgresConnections connections,
            PostgresStatements statements,
            StoreDiagnostics diagnostics,
            @Nullable Duration cleanupGuard) {
        this.connections = connections;
        this.statements = statements;
        this.diagnostics = diagnostics;
        this.cleanupGuard = cleanupGuard;
        worker.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "syncguard-postgres-upkeep");
        thread.setDaemon(true);
        return thread;
    }

    /** Warns once of settings that break the promise. */
    void reportOnce() {
        if (!reported.get() && reported.compareAndSet(false, true)) {
            worker.execute(this::report);
        }
    }

    private void report() {
        try {
            diagnostics.inspect(AbortSignal.none()).stream()
                    .filter(finding -> finding.level().compareTo(StoreDiagnostics.Level.WARN) >= 0)
                    .forEach(finding ->
                            LOGGER.log(Level.WARNING, "{0}: {1}; {2}", finding.id(), finding.message(), finding.fix()));
        } catch (LockException e) {
            LOGGER.log(Level.DEBUG, "the settings of the database were not looked at: {0}", e.getMessage());
        }
    }

    /** Deletes rows of locks that ended long ago, if that is wanted and due. */
    void cleanUp() {
        long due = nextCleanup.get();
        long now = System.nanoTime();
        if (cleanupGuard != null && now - due >= 0 && nextCleanup.compareAndSet(due, now + CLEANUP_EVERY)) {
            long guardMs = cleanupGuard.toMillis();
            worker.execute(() -> deleteExpired(guardMs));
        }
    }

    private void deleteExpired(long guardMs) {
        try {
            connections.query(
                    statements.deleteExpired,
                    Map.of("guard", guardMs, "limit", CLEANUP_ROWS),
                    AbortSignal.none(),
                    rows -> true);
        } catch (LockException e) {
            LOGGER.log(Level.DEBUG, "rows of ended locks were not deleted: {0}", e.getMessage());
        }
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
