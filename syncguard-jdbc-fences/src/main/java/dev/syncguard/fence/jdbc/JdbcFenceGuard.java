package dev.syncguard.fence.jdbc;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Refuses a stale writer in the writer's own transaction: one line before the protected write.
 *
 * <pre>{@code
 * JdbcFenceGuard fences = JdbcFenceGuard.create();
 *
 * fences.advance(connection, "account:7", lease.fence());   // throws a StaleFenceException: roll back
 * update.executeUpdate();
 * connection.commit();
 * }</pre>
 *
 * <p>One statement compares and advances, and locks the resource's row until the transaction ends: another writer to the
 * same resource waits for this commit or rollback and is then judged by it. Call it before the transaction reads what it is
 * going to change, or what it read may be older than the check. A rollback to a savepoint that was set before the check takes
 * the check back with it: advance again before the write.
 *
 * <p>Serialization failures and deadlocks (SQLSTATE 40001, 40P01, SQLite's {@code SQLITE_BUSY}) are thrown as the driver
 * throws them: roll back and repeat the transaction. On PostgreSQL and SQLite this is an {@code INSERT … ON CONFLICT}; on
 * other databases a plain {@code UPDATE}, and only the first writer to a resource ever needs an {@code INSERT} more.
 */
public final class JdbcFenceGuard {

    private final FenceTable table;

    private JdbcFenceGuard(FenceTable table) {
        this.table = table;
    }

    /**
     * Creates a guard on the table {@code syncguard_fences}, as the connection's search path finds it.
     *
     * @return a guard that any thread may use
     */
    public static JdbcFenceGuard create() {
        return on(FenceTable.DEFAULT_NAME);
    }

    /**
     * Creates a guard on a table with another name.
     *
     * @param table the table, with or without its schema: small letters, digits and underscores
     * @return a guard that any thread may use
     * @throws LockException with {@link Code#INVALID_ARGUMENT} for another name
     */
    public static JdbcFenceGuard on(String table) {
        return new JdbcFenceGuard(new FenceTable(table));
    }

    /**
     * Returns what creates the guard's table, with the GRANTs that an application needs as comments.
     *
     * @param dialect the database
     * @return statements that end in semicolons; safe to run again
     */
    public String ddl(SqlDialect dialect) {
        return table.ddl(dialect);
    }

    /**
     * Creates the guard's table unless it exists.
     *
     * @param connection a connection to the database; in autocommit, or the caller commits
     * @throws SQLException what the database says, for example that the role must not create tables
     */
    public void createTable(Connection connection) throws SQLException {
        table.create(connection);
    }

    /**
     * Accepts a fence that is as high as the highest one so far, or higher, and remembers it when the transaction commits.
     *
     * @param connection in the transaction of the protected write; autocommit is refused
     * @param resource what is written to: a text of 1 to 512 bytes, best the key of the lock
     * @param fence the fence of the writer's lease
     * @throws StaleFenceException if a newer fence was accepted before; the transaction must be rolled back
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if an argument or autocommit is not allowed, with
     *     {@link Code#INTERNAL} if the table is missing
     * @throws SQLException anything else, as the driver throws it
     */
    public void advance(Connection connection, String resource, Fence fence) throws SQLException {
        FenceClaim claim = FenceClaim.of(resource, fence);
        Transactions.require(connection);
        table.advance(connection, claim);
    }

    /**
     * Returns the highest fence that was accepted for a resource, as this transaction sees it. For display and tests: a check
     * with it protects nothing.
     *
     * @param connection a connection to the database
     * @param resource what is written to
     * @return the fence, or empty if none was accepted yet
     * @throws SQLException what the driver throws
     */
    public Optional<Fence> highest(Connection connection, String resource) throws SQLException {
        LockKey key = LockKey.of(resource);
        return Optional.ofNullable(table.highest(Transactions.given(connection), key));
    }
}
