package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.StoreThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a connection no longer than the operation may take. {@link DataSource} knows no such limit, and an interrupt
 * does not end what pools and the driver do on a silent server: they test or open a connection by reading from its socket.
 * So they are asked on a thread that can be left behind, unless it is a HikariCP pool whose own limits are short enough, or
 * one that has no connection to test ({@link FreshPool}).
 */
final class ConnectionWait implements AutoCloseable {

    private static final long KEEP_SECONDS = 5;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, KEEP_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ConnectionWait::thread);

    private final DataSource own;
    private final @Nullable HikariCp pool;
    private final FreshPool fresh;

    /**
     * Creates the wait of one backend.
     *
     * @param own where its operations get their connections from
     */
    ConnectionWait(DataSource own) {
        this.own = own;
        this.pool = HikariCp.of(own);
        this.fresh = new FreshPool(pool == null ? () -> 0 : pool::size, System::nanoTime);
    }

    private static Thread thread(Runnable task) {
        return StoreThreads.daemon("syncguard-postgres-connect", task);
    }

    /** Returns a connection; it counts as lent when {@link #lent} is told. */
    Connection get(DataSource dataSource, WatchedOperation operation) throws SQLException {
        Connection connection = dataSource == own ? askDirectly(operation.leftNanos()) : null;
        if (connection == null) {
            connection = borrow(dataSource, operation.leftNanos());
        }
        operation.uses(connection);
        return connection;
    }

    /** Asks on this thread, if that cannot take too long; null if it can, or if no connection came. */
    private @Nullable Connection askDirectly(long nanos) throws SQLException {
        if (pool == null) {
            return null;
        }
        if (pool.answersWithin(nanos)) {
            return own.getConnection();
        }
        long millis = Math.min(FreshPool.LONGEST_WAIT_MS, TimeUnit.NANOSECONDS.toMillis(nanos));
        return millis > 0 && fresh.isFresh() ? pool.lend(millis) : null;
    }

    /** Remembers which connections are in use. */
    void lent(DataSource dataSource, Connection connection) throws SQLException {
        if (pool != null && dataSource == own) {
            fresh.lent(connection.unwrap(Connection.class));
        }
    }

    private Connection borrow(DataSource dataSource, long nanos) throws SQLException {
        Loan loan = new Loan(dataSource);
        threads.execute(loan);
        try {
            return InterruptShield.get(loan, Math.max(0, nanos));
        } catch (TimeoutException e) {
            loan.leave();
            throw late(dataSource, e);
        } catch (ExecutionException e) {
            throw asItWas(e);
        }
    }

    private static LockException late(DataSource dataSource, TimeoutException e) {
        return ServerAddress.isDriver(dataSource)
                ? new LockException(Code.NETWORK_TIMEOUT, ServerAddress.of(dataSource) + ConnectErrors.SILENT, e)
                : new LockException(
                        Code.RATE_LIMITED,
                        "the pool gave no connection within the command timeout; all are in use, it cannot connect, or"
                                + " the server does not answer",
                        e);
    }

    private static SQLException asItWas(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof SQLException failure) {
            return failure;
        }
        if (cause instanceof RuntimeException failure) {
            throw failure;
        }
        if (cause instanceof Error failure) {
            throw failure;
        }
        throw new LockException(Code.SERVICE_UNAVAILABLE, "the DataSource gave no connection", cause);
    }

    /** Lets idle threads end; those that are left behind end when the pool lets them. */
    @Override
    public void close() {
        threads.setKeepAliveTime(0, TimeUnit.SECONDS);
    }
}
