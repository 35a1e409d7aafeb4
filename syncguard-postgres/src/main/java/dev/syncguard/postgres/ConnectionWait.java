package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.StoreThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a connection no longer than the operation may take. {@link DataSource} knows no such limit, and pools wait 30
 * seconds: the watch interrupts the wait, which every pool obeys. The driver's own DataSource does not, it connects on a
 * thread that can be left behind.
 */
final class ConnectionWait {

    private ConnectionWait() {}

    static Connection get(DataSource dataSource, WatchedOperation operation) throws SQLException {
        return isDriver(dataSource) ? connect(dataSource, operation) : borrow(dataSource, operation);
    }

    /** By its name: the class itself drags naming services in. */
    private static boolean isDriver(DataSource dataSource) {
        return dataSource.getClass().getName().startsWith("org.postgresql.ds.");
    }

    private static Connection borrow(DataSource pool, WatchedOperation operation) throws SQLException {
        Connection connection;
        try {
            connection = pool.getConnection();
        } catch (SQLException | RuntimeException e) {
            if (operation.connected(null)) {
                throw noneFree(e);
            }
            throw e;
        }
        if (operation.connected(connection)) {
            operation.release();
            connection.close();
            throw noneFree(null);
        }
        return connection;
    }

    private static LockException noneFree(@Nullable Exception cause) {
        return new LockException(
                Code.RATE_LIMITED,
                "the pool gave no connection within the command timeout; all are in use, or it cannot connect",
                cause);
    }

    private static Connection connect(DataSource driver, WatchedOperation operation) throws SQLException {
        operation.connectsByItself();
        CompletableFuture<Connection> connecting = new CompletableFuture<>();
        StoreThreads.start("syncguard-postgres-connect", () -> complete(connecting, driver));
        try {
            Connection connection = InterruptShield.get(connecting, Math.max(0, operation.leftNanos()));
            operation.uses(connection);
            return connection;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new LockException(Code.SERVICE_UNAVAILABLE, "the DataSource gave no connection", e.getCause());
        } catch (TimeoutException e) {
            connecting.completeExceptionally(e);
            throw new LockException(
                    Code.NETWORK_TIMEOUT, ServerAddress.of(driver) + " did not answer in time to a new connection", e);
        }
    }

    /** Closes what comes too late. */
    private static void complete(CompletableFuture<Connection> connecting, DataSource driver) {
        try {
            Connection connection = driver.getConnection();
            if (!connecting.complete(connection)) {
                connection.close();
            }
        } catch (Throwable e) {
            connecting.completeExceptionally(e);
        }
    }
}
