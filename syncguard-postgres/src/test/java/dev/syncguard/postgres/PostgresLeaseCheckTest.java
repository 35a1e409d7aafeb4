package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** A lease in the transaction of the protected write. */
@Timeout(120)
class PostgresLeaseCheckTest {

    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofMinutes(10));
    private static final LockOptions PATIENT = LONG.waitAtMost(Duration.ofMinutes(1));

    private final TestDatabase database = TestDatabase.create();
    private final SyncGuard here = SyncGuard.of(
            database.builder().commandTimeout(Duration.ofSeconds(10)).build());
    private final SyncGuard there = SyncGuard.of(database.builder().build());
    private final PostgresLeaseCheck check = PostgresLeaseCheck.on(database.names);
    private final String key = Locks.newKey().value();

    @AfterEach
    void close() {
        here.close();
        there.close();
        database.close();
    }

    private Connection begin(int isolation) throws SQLException {
        Connection connection = database.connect();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    private Connection begin() throws SQLException {
        return begin(Connection.TRANSACTION_READ_COMMITTED);
    }

    /** The lock ends in the store, whatever its holder believes. */
    private void expire() {
        database.execute("UPDATE {locks} SET expires_at_ms = expires_at_ms - 3600000 WHERE user_key = '" + key + "'");
    }

    private void awaitBlockedBy(Connection connection) throws SQLException {
        int pid = connection.unwrap(PGConnection.class).getBackendPID();
        Awaitility.await()
                .until(() ->
                        database.query("SELECT 1 FROM pg_stat_activity WHERE " + pid + " = ANY (pg_blocking_pids(pid))")
                                != null);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    @DisplayName("a lease that expires while the transaction is open: the successor waits for the commit")
    void successorWaits(int isolation) throws Exception {
        Lease lease = here.acquire(key, LONG);
        try (Connection connection = begin(isolation)) {
            check.assertHeld(connection, lease);
            expire();

            CompletableFuture<Lease> successor = CompletableFuture.supplyAsync(() -> there.acquire(key, PATIENT));
            awaitBlockedBy(connection);
            assertThat(successor).isNotDone();
            connection.commit();

            try (Lease next = successor.get(60, TimeUnit.SECONDS)) {
                assertThat(next.fence().isNewerThan(lease.fence())).isTrue();
            }
        }
    }

    @Test
    @DisplayName("a successor waits longer than one lock_timeout, and a rollback lets it go on")
    void successorWaitsOn() throws Exception {
        Lease lease = here.acquire(key, LONG);
        try (Connection connection = begin()) {
            check.assertHeld(connection, lease);
            expire();

            CompletableFuture<Lease> successor = CompletableFuture.supplyAsync(() -> there.acquire(key, PATIENT));
            assertThatThrownBy(() -> successor.get(4, TimeUnit.SECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            connection.rollback();

            successor.get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    @DisplayName("a lease that was taken over before the check is refused")
    void takenOver() throws Exception {
        Lease lease = here.acquire(key, LONG);
        expire();
        try (Lease next = there.acquire(key, PATIENT);
                Connection connection = begin()) {
            LeaseLostException loss =
                    catchThrowableOfType(LeaseLostException.class, () -> check.assertHeld(connection, lease));

            assertThat(loss.reason()).isEqualTo(Reason.GONE);
            assertThat(loss).hasMessageContaining(lease.keyHash());
            assertThat(loss.getMessage()).doesNotContain(key);
            connection.rollback();
            check.assertHeld(connection, next);
            connection.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    @DisplayName("a lease that was taken over since the snapshot is a serialization failure")
    void takenOverSinceTheSnapshot(int isolation) throws Exception {
        Lease lease = here.acquire(key, LONG);
        try (Connection connection = begin(isolation)) {
            connection.createStatement().executeQuery("SELECT 1").close(); // takes the snapshot
            expire();
            try (Lease next = there.acquire(key, PATIENT)) {
                assertThat(next.isValid()).isTrue();
                assertThatThrownBy(() -> check.assertHeld(connection, lease))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            }
        }
    }

    @Test
    @DisplayName("a takeover under way is waited for, and judged after its commit")
    void takeoverUnderWay() throws Exception {
        Lease lease = here.acquire(key, LONG);
        String takeover = "UPDATE {locks} SET lock_id = reverse(lock_id) WHERE user_key = '" + key + "'";
        try (StalledTransaction other = new StalledTransaction(database, takeover);
                Connection connection = begin()) {
            CompletableFuture<Void> checked = CompletableFuture.runAsync(() -> {
                try {
                    check.assertHeld(connection, lease);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            other.awaitBlocked();
            other.commit();

            assertThat(checked)
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableThat()
                    .withCauseInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    @DisplayName("a lease that expired by the database's clock is refused, although nobody has taken it over")
    void expired() throws Exception {
        Lease lease = here.acquire(key, LONG);
        expire();
        try (Connection connection = begin()) {
            LeaseLostException loss =
                    catchThrowableOfType(LeaseLostException.class, () -> check.assertHeld(connection, lease));

            assertThat(loss.reason()).isEqualTo(Reason.EXPIRED);
            assertThat(loss.lockId()).contains(lease.lockId());
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    @DisplayName("renewals pass while the transaction is open, again and again, and the check sees them")
    void renewalsPass(int isolation) throws Exception {
        Lease lease = here.acquire(key, LockOptions.defaults().ttl(Duration.ofSeconds(60)));
        try (Connection connection = begin(isolation)) {
            connection.createStatement().executeQuery("SELECT 1").close();
            check.assertHeld(connection, lease);
            for (int i = 0; i < 20; i++) {
                assertThat(lease.extend(Duration.ofMinutes(10)).ok()).isTrue();
                check.assertHeld(connection, lease);
            }
            connection.commit();
        }
        assertThat(lease.release()).isTrue();
    }

    @Test
    @DisplayName("at REPEATABLE READ a renewed lease is held although the snapshot shows an expiry that has passed")
    void renewedSinceTheSnapshot() throws Exception {
        Lease lease = here.acquire(key, LONG);
        expire();
        try (Connection connection = begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            connection.createStatement().executeQuery("SELECT 1").close(); // takes the snapshot
            database.execute("UPDATE {locks} SET expires_at_ms = " + lease.expiresAtMs() + " WHERE user_key = '" + key
                    + "'"); // as a renewal of long ago

            check.assertHeld(connection, lease);
        }
    }

    @Test
    @DisplayName("a release before the commit times out, is repeated in the background and succeeds after the commit")
    void releaseWaits() throws Exception {
        Lease lease = there.acquire(key, LONG);
        try (Connection connection = begin()) {
            check.assertHeld(connection, lease);

            LockException failure = catchThrowableOfType(LockException.class, lease::release);

            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(here.isLocked(key)).isTrue();
            connection.commit();
        }
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !here.isLocked(key));
    }

    @Test
    @DisplayName("the check waits for a busy row as long as its limit, and the transaction's own lock_timeout is back")
    void bounded() throws Exception {
        Lease lease = here.acquire(key, LONG);
        try (Connection connection = begin()) {
            connection.createStatement().execute("SET LOCAL lock_timeout = '1234ms'");
            check.assertHeld(connection, lease);
            assertThat(lockTimeout(connection)).isEqualTo("1234ms");
            connection.rollback();
            String before = lockTimeout(connection);

            StalledTransaction.during(
                    database,
                    "SELECT 1 FROM {locks} WHERE user_key = '" + key + "' FOR UPDATE",
                    () -> assertThatThrownBy(() -> check.assertHeld(connection, lease))
                            .isInstanceOfSatisfying(
                                    SQLException.class,
                                    e -> assertThat(e.getSQLState()).isEqualTo("55P03")));
            connection.rollback();

            assertThat(lockTimeout(connection)).isEqualTo(before);
            assertThatThrownBy(() -> check.assertHeld(connection, leaseOfAnotherStore()))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(lockTimeout(connection)).isEqualTo(before);
        }
    }

    private static String lockTimeout(Connection connection) throws SQLException {
        try (ResultSet rows = connection.createStatement().executeQuery("SHOW lock_timeout")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Lease leaseOfAnotherStore() {
        return SyncGuard.of(new MemoryLockBackend()).acquire("k", LONG);
    }

    @Test
    @DisplayName("a lease whose holder knows that it is over is refused without a question")
    void overForItsHolder() throws Exception {
        Lease lease = here.acquire(key, LONG);
        lease.close();
        try (Connection connection = begin()) {
            assertThatThrownBy(() -> check.assertHeld(connection, lease)).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    @DisplayName("autocommit and a missing argument are invalid arguments, a missing table names what creates it")
    void badInput() throws Exception {
        Lease lease = here.acquire(key, LONG);
        try (Connection connection = database.connect()) {
            assertThat(Locks.failure(() -> assertHeld(check, connection, lease)).code())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            connection.setAutoCommit(false);
            assertThat(Locks.failure(() -> assertHeld(check, connection, null)).code())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(Locks.failure(() -> assertHeld(check, null, lease)).code())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            PostgresLeaseCheck elsewhere =
                    PostgresLeaseCheck.on(PostgresNames.defaults().inSchema("nowhere"));
            assertThat(Locks.failure(() -> assertHeld(elsewhere, connection, lease)))
                    .hasMessageContaining("PostgresSchema.create");
        }
    }

    private static boolean assertHeld(PostgresLeaseCheck check, Connection connection, Lease lease)
            throws SQLException {
        check.assertHeld(connection, lease);
        return true;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE INDEX ON {locks} (lock_id)",
                "CREATE UNIQUE INDEX ON {locks} (lock_id) WHERE expires_at_ms > 0",
                "CREATE UNIQUE INDEX ON {locks} ((lock_id || ''))",
                "CREATE UNIQUE INDEX ON {locks} (fence) INCLUDE (lock_id)"
            })
    @DisplayName("a table whose index would let the successor pass is refused, until the index is there")
    void needsTheUniqueIndex(String other) throws Exception {
        Lease lease = here.acquire(key, LONG);
        String constraint = database.query(
                "SELECT conname FROM pg_constraint WHERE contype = 'u' AND conrelid = '{locks}'::regclass");
        database.execute("ALTER TABLE {locks} DROP CONSTRAINT \"" + constraint + "\"");
        database.execute(other);
        try (Connection connection = begin()) {
            assertThat(Locks.failure(() -> assertHeld(check, connection, lease)))
                    .hasMessageContaining("CREATE UNIQUE INDEX");
            connection.rollback();
            database.execute("CREATE UNIQUE INDEX ON {locks} (lock_id)");
            check.assertHeld(connection, lease);
            expire();

            CompletableFuture<Lease> successor = CompletableFuture.supplyAsync(() -> there.acquire(key, PATIENT));
            awaitBlockedBy(connection);
            connection.commit();
            successor.get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    @DisplayName("the check is one round trip")
    void oneRoundTrip() throws Exception {
        Lease lease = here.acquire(key, LONG);
        String url = database.url + "&socketFactory=" + CountingSocketFactory.class.getName();
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            check.assertHeld(connection, lease);
            connection.commit();
            long before = CountingSocketFactory.sent();

            check.assertHeld(connection, lease);

            assertThat(CountingSocketFactory.sent() - before).isEqualTo(1);
        }
    }
}
