package dev.syncguard.fence.jdbc;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A fence beside the data, in a numeric column of the application's own table.
 *
 * <p>The protected write itself compares and advances, with no statement more:
 *
 * <pre>{@code
 * UPDATE accounts SET balance = balance + ?, fence = ? WHERE id = ? AND fence <= ?
 * }</pre>
 *
 * <p>Whether it was refused is in its row count: hand that to {@link #requireWritten}. The column is best {@code BIGINT NOT
 * NULL DEFAULT 0}; where it may be null, the condition is {@code (fence IS NULL OR fence <= ?)}.
 *
 * <p>Who reads the row before the update calls {@link #advance} before that.
 *
 * @param table the table, with or without its schema: small letters, digits and underscores
 * @param key the column that identifies a row
 * @param fence the column of the fence: a {@code BIGINT}; for {@link #advance} null is lower than any fence
 */
public record FenceColumn(String table, String key, String fence) {

    /**
     * Checks the names.
     *
     * @param table the table
     * @param key the column that identifies a row
     * @param fence the column of the fence
     * @throws LockException with {@link Code#INVALID_ARGUMENT} for a name that is not allowed
     */
    public FenceColumn {
        SqlNames.table(table);
        SqlNames.column(key);
        SqlNames.column(fence);
    }

    /**
     * Checks and advances a row before other statements write to it, or to what belongs to it. The row must exist.
     *
     * @param connection in the transaction of the protected write; autocommit is refused
     * @param id the value of the key column, as {@code setObject} takes it; as text with the table's name 512 bytes at most
     * @param holder the fence of the writer's lease
     * @throws StaleFenceException if a newer fence was accepted before; the transaction must be rolled back
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if an argument or autocommit is not allowed, or if there is no
     *     such row
     * @throws SQLException anything else, as the driver throws it
     */
    public void advance(Connection connection, Object id, Fence holder) throws SQLException {
        FenceClaim claim = new FenceClaim(resource(id), holder);
        Transactions.require(connection);
        // SQLite turns the parameter into a text if the column is one, and "9" is above "10".
        String number = SqlDialect.of(connection) == SqlDialect.SQLITE ? "CAST(? AS INTEGER)" : "?";
        String sql = "UPDATE " + table + " SET " + fence + " = ? WHERE " + of(key) + " = ? AND (" + of(fence)
                + " IS NULL OR " + of(fence) + " <= " + number + ")";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, holder.value());
            update.setObject(2, id);
            update.setLong(3, holder.value());
            // A driver may count changed rows only: then an equal fence gives 0, too, and the lock protects the write.
            if (update.executeUpdate() == 0) {
                Fence stored = stored(connection, id, claim);
                if (!claim.over(stored).equals(stored)) {
                    throw unwritten(claim);
                }
            }
        }
    }

    /**
     * Checks the row count of an update whose condition was {@code fence <= ?}. Such an update is refused or written as one
     * step, so this may be in autocommit.
     *
     * @param connection the connection of that update, asked again only if it wrote nothing; its driver counts the rows that
     *     an update found, as JDBC wants it (MySQL: not {@code useAffectedRows})
     * @param id the value of the key column
     * @param holder the fence that the update was given
     * @param rows what {@code executeUpdate} returned
     * @throws StaleFenceException if the row has a newer fence; the transaction must be rolled back
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if there is no such row
     * @throws SQLException anything else, as the driver throws it
     */
    public void requireWritten(Connection connection, Object id, Fence holder, int rows) throws SQLException {
        FenceClaim claim = new FenceClaim(resource(id), holder);
        if (rows > 0) {
            return;
        }
        claim.over(stored(connection, id, claim));
        throw unwritten(claim);
    }

    /** Returns the fence of the row, newest version; null if there is none. */
    private @Nullable Fence stored(Connection connection, Object id, FenceClaim claim) throws SQLException {
        String sql = "SELECT " + of(fence) + " FROM " + table + " WHERE " + of(key) + " = ?";
        boolean locking = SqlDialect.of(Transactions.given(connection)).readsSnapshots();
        try (PreparedStatement select = connection.prepareStatement(locking ? sql + " FOR UPDATE" : sql)) {
            select.setObject(1, id);
            try (ResultSet found = select.executeQuery()) {
                Fence stored = found.next() ? StoredFences.read(found, claim.resource()) : null;
                return stored;
            }
        }
    }

    /** A bare {@code user} is no column but a function: it would compare the id with the role, in every row. */
    private String of(String column) {
        return table.substring(table.indexOf('.') + 1) + "." + column;
    }

    private LockException unwritten(FenceClaim claim) {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "the update wrote no row of " + table
                        + " although no newer fence stands in its way; is there such a row, has the update no other"
                        + " condition, does it let a fence pass that is null, and does the driver count rows that it found"
                        + " (MySQL: not useAffectedRows)? [row "
                        + claim.resource().hash() + "]");
    }

    private LockKey resource(Object id) {
        if (id == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "id must not be null");
        }
        return LockKey.of(table + ":" + id);
    }
}
