package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A connection of the application's pool that commits each statement, given back as it came.
 *
 * <p>One with an open transaction is refused: switching it to autocommit would commit the application's work, and using it
 * would make the lock invisible until the application commits.
 */
final class BorrowedConnection implements AutoCloseable {

    private final WatchedOperation operation;
    private final Connection connection;
    private final boolean switched;
    private final int networkTimeout;

    private BorrowedConnection(WatchedOperation operation, Connection connection) throws SQLException {
        this.operation = operation;
        this.connection = connection;
        this.networkTimeout = connection.getNetworkTimeout();
        this.switched = !connection.getAutoCommit();
        if (!isIdle(connection, switched)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "the DataSource gave a connection with an open transaction; give the backend a DataSource whose"
                            + " connections are not bound to the caller's transaction (not a transaction-aware proxy)");
        }
        if (switched) {
            connection.setAutoCommit(true);
        }
    }

    /** Waits for a connection, until the deadline of the operation. */
    static BorrowedConnection from(DataSource dataSource, ConnectionWait wait, WatchedOperation operation) {
        try {
            Connection connection = wait.get(dataSource, operation);
            try {
                wait.lent(dataSource, connection);
                return new BorrowedConnection(operation, connection);
            } catch (Throwable e) {
                // Also what an old pool does not have (AbstractMethodError): the connection goes back.
                operation.release();
                closeQuietly(connection);
                throw e;
            }
        } catch (LockException e) {
            throw e;
        } catch (SQLException e) {
            throw ConnectErrors.translate(e, dataSource);
        } catch (RuntimeException e) {
            throw ConnectErrors.translatePool(e, dataSource);
        }
    }

    /** What another driver or a proxy hides counts as open if the connection does not commit by itself. */
    private static boolean isIdle(Connection connection, boolean manualCommit) throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            return !manualCommit;
        }
        return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
    }

    Connection get() {
        return connection;
    }

    /** Returns whether the session is the one we connected to; what hides that is taken for direct. */
    boolean isDirect() throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return true;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            return rows.next()
                    && rows.getInt(1) == connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    /** Lets the socket give up after a time; an earlier limit of the pool stays. */
    void limit(long millis) throws SQLException {
        int limit = (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE));
        connection.setNetworkTimeout(Runnable::run, networkTimeout == 0 ? limit : Math.min(limit, networkTimeout));
    }

    /**
     * Gives the connection back, or closes it if a cancel request may still be on its way to its session. What fails here
     * is the pool's business: the statement has been answered.
     */
    @Override
    public void close() {
        if (!operation.release()) {
            WatchedOperation.abort(connection);
        }
        try {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            if (switched) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException | RuntimeException e) {
            // It is broken; the pool will notice.
        }
        closeQuietly(connection);
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // As above.
        }
    }
}
