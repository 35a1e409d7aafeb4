package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.support.StoreThreads;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Deletes rows of locks that expired long ago, if the application wants it: in the background, now and then. */
final class PostgresCleanup implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long CLEANUP_EVERY = TimeUnit.SECONDS.toNanos(10);
    private static final long CLEANUP_ROWS = 1000;

    private final PostgresConnections connections;
    private final PostgresStatements statements;
    private final boolean wanted;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    /** One thread while there is work; what does not fit is dropped, for it comes again. */
    private final ThreadPoolExecutor worker = new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            task -> StoreThreads.daemon("syncguard-postgres-cleanup", task),
            new ThreadPoolExecutor.DiscardPolicy());

    PostgresCleanup(PostgresConnections connections, PostgresStatements statements, boolean wanted) {
        this.connections = connections;
        this.statements = statements;
        this.wanted = wanted;
        worker.allowCoreThreadTimeOut(true);
    }

    /** Deletes, if that is wanted and due. */
    void consider() {
        long due = next.get();
        long now = System.nanoTime();
        if (wanted && now - due >= 0 && next.compareAndSet(due, now + CLEANUP_EVERY)) {
            worker.execute(this::deleteExpired);
        }
    }

    private void deleteExpired() {
        try {
            connections.query(
                    statements.deleteExpired,
                    Map.of("guard", Liveness.CLEANUP_GUARD_MS, "limit", CLEANUP_ROWS),
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
