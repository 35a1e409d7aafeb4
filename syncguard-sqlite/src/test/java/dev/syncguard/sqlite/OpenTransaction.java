package dev.syncguard.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Somebody else who holds the write lock of the file. */
final class OpenTransaction implements AutoCloseable {

    private final Connection connection;
    private volatile boolean open = true;

    private OpenTransaction(Connection connection) {
        this.connection = connection;
    }

    static OpenTransaction begin(Path file) throws SQLException {
        try (SqliteLockBackend creator = SqliteLockBackend.open(file)) {
            creator.isLocked(Locks.KEY, Locks.NONE);
        }
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        connection.createStatement().execute("BEGIN IMMEDIATE");
        return new OpenTransaction(connection);
    }

    boolean isOpen() {
        return open;
    }

    void end() {
        try {
            open = false;
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        end();
    }
}
