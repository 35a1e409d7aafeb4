package dev.syncguard.fence.jdbc;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Values in a table of a real database, written as an application would. */
final class GuardedTable implements FencedStore {

    /** Serialization failure, deadlock, a lock that was not had in time; SQLite has no states. */
    private static final Set<String> REPEATABLE = Set.of("40001", "40P01", "HYT00", "90131");

    private static final int SQLITE_BUSY = 5;

    /** Opens a connection in the isolation level of the test. */
    @FunctionalInterface
    interface Source {
        Connection open() throws SQLException;
    }

    final JdbcFenceGuard fences = JdbcFenceGuard.create();
    private final Source source;
    private final boolean crashes;

    GuardedTable(Source source, boolean crashes) throws SQLException {
        this.source = source;
        this.crashes = crashes;
        try (Connection connection = source.open()) {
            fences.createTable(connection);
            fences.createTable(connection); // safe to run again
            // Whatever MySQL's collation takes for equal: it is the guard that tells names apart.
            String name = connection.getMetaData().getURL().matches("jdbc:(mysql|mariadb):.*")
                    ? "VARBINARY(512)"
                    : "VARCHAR(512)";
            connection.createStatement().execute("CREATE TABLE journal (resource " + name + ", text VARCHAR(100))");
        }
    }

    /** A connection in a transaction. */
    Connection begin() throws SQLException {
        Connection connection = source.open();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public void write(String resource, Fence fence, String value) throws SQLException {
        while (true) {
            try (Connection connection = begin()) {
                try {
                    advanceAndWrite(connection, resource, fence, value);
                    connection.commit();
                    return;
                } catch (StaleFenceException e) {
                    connection.rollback();
                    throw e;
                } catch (SQLException e) {
                    connection.rollback();
                    if (!isRepeatable(e)) {
                        throw e;
                    }
                }
            }
        }
    }

    static boolean isRepeatable(SQLException e) {
        return REPEATABLE.contains(String.valueOf(e.getSQLState())) || (e.getErrorCode() & 0xff) == SQLITE_BUSY;
    }

    private void advanceAndWrite(Connection connection, String resource, Fence fence, String value)
            throws SQLException {
        fences.advance(connection, resource, fence);
        put(connection, resource, value);
    }

    static void put(Connection connection, String resource, String value) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM journal WHERE resource = ?");
                PreparedStatement insert = connection.prepareStatement("INSERT INTO journal VALUES (?, ?)")) {
            delete.setString(1, resource);
            delete.executeUpdate();
            insert.setString(1, resource);
            insert.setString(2, value);
            insert.executeUpdate();
        }
    }

    @Override
    public boolean writeAndCrash(String resource, Fence fence, String value) throws SQLException {
        try (Connection connection = begin()) {
            advanceAndWrite(connection, resource, fence, value);
            if (crashes) {
                connection.abort(Runnable::run);
            } else {
                connection.rollback();
            }
        }
        return true;
    }

    @Override
    public Optional<String> read(String resource) throws SQLException {
        try (Connection connection = source.open();
                PreparedStatement select = connection.prepareStatement("SELECT text FROM journal WHERE resource = ?")) {
            select.setString(1, resource);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }

    @Override
    public Optional<Fence> highest(String resource) throws SQLException {
        try (Connection connection = source.open()) {
            return fences.highest(connection, resource);
        }
    }
}
