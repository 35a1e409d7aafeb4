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

/**
 * Waits for a connection no longer than the operation may take. {@link DataSource} knows no such limit, and an interrupt
 * does not end what pools and the driver do on a silent server: they test or open a connection by reading from its socket.
 * So they are asked on a thread that can be left behind, unless their own limits are short enough.
 */
final class ConnectionWait implements AutoCloseable {

    private static final long KEEP_SECONDS = 5;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, KEEP_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ConnectionWait::thread);

    private static Thread thread(Runnable task) {
        return StoreThreads.daemon("syncguard-postgres-connect", task);
    }

    Connection get(DataSource dataSource, WatchedOperation operation) throws SQLException {
        Connection connection = PoolLimits.end(dataSource, operation.leftNanos())
                ? dataSource.getConnection()
                : borrow(dataSource, operation.leftNanos());
        operation.uses(connection);
        return connection;
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
        return PoolLimits.isDriver(dataSource)
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
