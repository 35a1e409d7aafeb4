package dev.syncguard.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.awaitility.Awaitility;

/** Another client's transaction that does something and then sits on it. */
final class StalledTransaction implements AutoCloseable {

    private final TestDatabase database;
    private final Connection connection;
    private final int pid;

    StalledTransaction(TestDatabase database, String sql) throws SQLException {
        this.database = database;
        this.connection = database.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(database.named(sql));
        }
        pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }

    /** Runs something while the transaction sits there. */
    static void during(TestDatabase database, String sql, Runnable body) throws SQLException {
        StalledTransaction stalled = new StalledTransaction(database, sql);
        try {
            body.run();
        } finally {
            stalled.close();
        }
    }

    /** Waits until some session waits for this one, and returns its process id. */
    int awaitBlocked() {
        String sql = "SELECT pid FROM pg_stat_activity WHERE " + pid + " = ANY (pg_blocking_pids(pid)) LIMIT 1";
        return Integer.parseInt(Awaitility.await().until(() -> database.query(sql), found -> found != null));
    }

    void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
