package dev.syncguard.postgres;

import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.postgres.PostgresErrors.Phase;
import dev.syncguard.postgres.PostgresStatement.Effect;
import dev.syncguard.spi.support.Settings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * True exclusion where lock and data share a database: a transaction that passed the check cannot commit after somebody else
 * got the lock.
 *
 * <pre>{@code
 * PostgresLeaseCheck check = PostgresLeaseCheck.create();
 *
 * check.assertHeld(connection, lease);   // throws a LeaseLostException: roll back
 * update.executeUpdate();
 * connection.commit();                   // before the lease is released
 * }</pre>
 *
 * <p>The check locks the lock's row until the transaction ends. If the lease expires meanwhile, the next holder waits for
 * this commit or rollback. That is also the cost: nobody gets the lock while the transaction is open, however long that is.
 * Renewals of the lease go on. A release of the lease waits as well, so commit first; a release that came too early fails
 * with a timeout and is repeated in the background.
 *
 * <p>A rollback to a savepoint that was set before the check takes the check back with it: check again before the write.
 */
public final class PostgresLeaseCheck {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final PostgresStatement statement;

    private PostgresLeaseCheck(PostgresNames names) {
        statement = PostgresStatement.load(
                "assert-held.sql", Map.of("locks", names.quotedLocks(), "now", PostgresStatements.NOW), Effect.READS);
    }

    /**
     * Creates a check for locks in the default tables.
     *
     * @return a check that any thread may use
     */
    public static PostgresLeaseCheck create() {
        return on(PostgresNames.defaults());
    }

    /**
     * Creates a check for locks in other tables.
     *
     * @param names where the backend of the lease keeps its locks
     * @return a check that any thread may use
     */
    public static PostgresLeaseCheck on(PostgresNames names) {
        return new PostgresLeaseCheck(Settings.required("names", names));
    }

    /**
     * Makes sure that the lease is held until this transaction ends. One statement, which waits for another writer of the row
     * no longer than the lease lasts, and two seconds at most.
     *
     * @param connection in the transaction of the protected write, on the database of the locks; autocommit is refused
     * @param lease a lease of a {@link PostgresLockBackend}, acquired before the transaction's first statement
     * @throws LeaseLostException if it is not held any more; the transaction must be rolled back
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if an argument or autocommit is not allowed, with
     *     {@link Code#INTERNAL} if the table of the locks is missing, or has no unique index on {@code lock_id}
     * @throws SQLException anything else, as the driver throws it: 55P03 if the row was not free in time, 40001 if the
     *     transaction must be repeated
     */
    public void assertHeld(Connection connection, Lease lease) throws SQLException {
        Settings.required("lease", lease);
        if (Settings.required("connection", connection).getAutoCommit()) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this connection is in autocommit, so the check would not protect the write; call"
                            + " setAutoCommit(false), check and write, then commit");
        }
        lease.ensureValid();
        judge(lease, leftMs(connection, lease));
    }

    /** Returns how long the lock lasts by the server's clock; {@link Long#MIN_VALUE} if there is none. */
    private long leftMs(Connection connection, Lease lease) throws SQLException {
        long wait = Math.min(lease.remaining().toMillis(), LONGEST_WAIT.toMillis());
        Map<String, Object> values = Map.of(
                "lock_id", lease.lockId().value(),
                "lock_timeout", Long.toString(Math.max(1, wait)),
                "expires_at_ms", lease.expiresAtMs());
        try (PreparedStatement query = connection.prepareStatement(statement.sql())) {
            statement.bind(query, values);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                long left = rows.getLong("left_ms");
                if (rows.wasNull()) {
                    return Long.MIN_VALUE;
                }
                if (!rows.getBoolean("exclusive")) {
                    throw notExclusive();
                }
                return left;
            }
        } catch (SQLException e) {
            if (PostgresErrors.isMissing(e)) {
                throw PostgresErrors.translate(e, Phase.READING);
            }
            throw e;
        }
    }

    private static LockException notExclusive() {
        return new LockException(
                Code.INTERNAL,
                "the table of the locks has no unique index on lock_id, so the next holder would not wait for this"
                        + " transaction; create it: CREATE UNIQUE INDEX ON <table of the locks> (lock_id)");
    }

    private static void judge(Lease lease, long leftMs) {
        if (leftMs == Long.MIN_VALUE) {
            throw lost(
                    lease,
                    Reason.GONE,
                    "this transaction sees no such lock in this database (a snapshot that is older than the lock does not,"
                            + " either)");
        }
        if (leftMs <= 0) {
            throw lost(lease, Reason.EXPIRED, "it expired " + -leftMs + " ms ago by the database's clock");
        }
    }

    private static LeaseLostException lost(Lease lease, Reason reason, String detail) {
        return new LeaseLostException(
                reason, detail + " [key " + lease.keyHash() + "]", null, null, lease.lockId(), null);
    }
}
