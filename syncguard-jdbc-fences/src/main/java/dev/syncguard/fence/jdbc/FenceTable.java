package dev.syncguard.fence.jdbc;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The statements on a table of fences. */
final class FenceTable {

    static final String DEFAULT_NAME = "syncguard_fences";

    private final String name;
    private final String upsert;
    private final String update;
    private final String insert;
    private final String lock;
    private final String select;

    FenceTable(String name) {
        this.name = SqlNames.table(name);
        insert = "INSERT INTO " + name + " (resource, fence) VALUES (?, ?)";
        // Locks the row also where it changes nothing, so that the next statement sees what refused this one. The cast:
        // in a
        // table of the application's own the column may be a text, and "9" is above "10".
        upsert = "INSERT INTO " + name + " AS stored (resource, fence) VALUES (?, ?) ON CONFLICT (resource) DO UPDATE"
                + " SET fence = excluded.fence WHERE stored.fence <= CAST(excluded.fence AS BIGINT)";
        update = "UPDATE " + name + " SET fence = ? WHERE resource = ? AND fence <= ?";
        select = "SELECT fence FROM " + name + " WHERE resource = ?";
        lock = select + " FOR UPDATE";
    }

    void advance(Connection connection, FenceClaim claim) throws SQLException {
        SqlDialect dialect = SqlDialect.of(connection);
        try {
            if (dialect.hasUpsert()) {
                upsert(connection, claim);
            } else {
                updateOrInsert(connection, claim);
            }
        } catch (SQLException e) {
            throw named(dialect, e);
        }
    }

    private void upsert(Connection connection, FenceClaim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(upsert)) {
            statement.setString(1, claim.resource().value());
            statement.setLong(2, claim.fence().value());
            if (statement.executeUpdate() == 0) {
                claim.over(read(connection, select, claim.resource()));
                throw raced();
            }
        }
    }

    /**
     * In plain SQL. A resource without a row is inserted; if another transaction does so at the same moment, the second one
     * waits for the first one's commit, meets its row and is judged by it, or must repeat if its snapshot does not show it.
     */
    private void updateOrInsert(Connection connection, FenceClaim claim) throws SQLException {
        for (int attempt = 1; attempt <= 2; attempt++) {
            if (update(connection, claim)) {
                return;
            }
            Fence highest = read(connection, lock, claim.resource());
            // A driver may count changed rows only: then an equal fence gives 0, too, and this lock protects the write.
            if (claim.over(highest).equals(highest)) {
                return;
            }
            // A lower fence came after the update. Its row is locked now, so the next update advances it.
            if (highest == null && insert(connection, claim, attempt)) {
                return;
            }
        }
        throw raced();
    }

    private boolean update(Connection connection, FenceClaim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setLong(1, claim.fence().value());
            statement.setString(2, claim.resource().value());
            statement.setLong(3, claim.fence().value());
            return statement.executeUpdate() > 0;
        }
    }

    private boolean insert(Connection connection, FenceClaim claim, int attempt) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, claim.resource().value());
            statement.setLong(2, claim.fence().value());
            return statement.executeUpdate() > 0;
        } catch (SQLException e) {
            if (!SqlDialect.isDuplicate(e)) {
                throw e;
            }
            if (attempt == 1) {
                return false;
            }
            // The row is there, but not in the snapshot of this transaction.
            SQLException raced = raced();
            raced.initCause(e);
            throw raced;
        }
    }

    @Nullable
    Fence highest(Connection connection, LockKey resource) throws SQLException {
        SqlDialect dialect = SqlDialect.of(connection);
        try {
            return read(connection, select, resource);
        } catch (SQLException e) {
            throw named(dialect, e);
        }
    }

    private static @Nullable Fence read(Connection connection, String sql, LockKey resource) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, resource.value());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? stored(rows, resource) : null;
            }
        }
    }

    private static Fence stored(ResultSet rows, LockKey resource) throws SQLException {
        Fence stored = StoredFences.read(rows, resource);
        if (stored == null) {
            throw StoredFences.damaged(resource);
        }
        return stored;
    }

    /** The row of another writer is in the way, and this transaction cannot see it. */
    private SQLException raced() {
        return new SQLException(
                "another writer inserted the row of this resource in " + name + " meanwhile; repeat the transaction",
                "40001");
    }

    private SQLException named(SqlDialect dialect, SQLException e) {
        if (dialect.isMissingTable(e)) {
            throw new LockException(
                    Code.INTERNAL,
                    "the table " + name
                            + " for fences is missing; create it with JdbcFenceGuard.createTable(connection)"
                            + " or with the statements of JdbcFenceGuard.ddl(SqlDialect." + dialect + ")",
                    e);
        }
        return e;
    }

    String ddl(SqlDialect dialect) {
        return SqlFiles.ddl(dialect, name);
    }

    void create(Connection connection) throws SQLException {
        SqlDialect dialect = SqlDialect.of(Transactions.given(connection));
        try (Statement statement = connection.createStatement()) {
            for (String sql : SqlFiles.statements(ddl(dialect))) {
                statement.execute(dialect == SqlDialect.POSTGRESQL ? concurrently(sql) : sql);
            }
        }
    }

    /** PostgreSQL: IF NOT EXISTS alone fails when two sessions create the same table. It is there then, and committed. */
    private static String concurrently(String sql) {
        return "DO $create$ BEGIN " + sql + ";"
                + " EXCEPTION WHEN unique_violation OR duplicate_table OR duplicate_object THEN NULL; END $create$";
    }
}
