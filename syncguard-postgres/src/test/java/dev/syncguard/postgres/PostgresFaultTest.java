package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

/** What happens when the server or the session ends, stands still or refuses. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresFaultTest {

    private final PostgresServer server =
            PostgresServer.start(Map.of("max_connections", "20", "superuser_reserved_connections", "0"));
    private final TestDatabase database =
            TestDatabase.create(server.url(), PostgresNames.defaults().inSchema("faults"), 6);
    private final LockBackend backend = on(database.pool);

    @AfterAll
    void close() {
        database.pool.close();
        server.close();
    }

    private LockBackend on(javax.sql.DataSource source) {
        return PostgresLockBackend.builder(source)
                .names(database.names)
                .pollOnly()
                .commandTimeout(Duration.ofSeconds(3))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"40001, serialization failure", "40P01, deadlock"})
    @DisplayName("a conflict that comes back at every repetition is called what it is, and nothing has happened")
    void conflictEveryTime(String state, String text) {
        String function = "\"" + database.names.schema() + "\".conflict";
        database.execute("CREATE FUNCTION " + function + "() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '" + state + "'; END $$");
        database.execute(
                "CREATE TRIGGER conflict BEFORE INSERT ON {locks} FOR EACH ROW EXECUTE FUNCTION " + function + "()");
        try {
            LockException failure = failure(() -> acquire(backend, newKey()));

            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasMessageContaining("at every repetition").hasMessageContaining(text);
        } finally {
            database.execute("DROP FUNCTION " + function + " CASCADE");
        }
    }

    @Test
    @DisplayName(
            "a session that is ended under a waiting statement leaves the outcome unknown, and the next call works")
    void terminated() throws Exception {
        LockKey key = newKey();
        Granted granted = grant(backend, key);
        try (StalledTransaction stalled = new StalledTransaction(
                database, "SELECT 1 FROM {locks} WHERE key = '" + key.value() + "' FOR UPDATE")) {
            CompletableFuture<LockException> failed =
                    CompletableFuture.supplyAsync(() -> failure(() -> backend.release(granted.lockId(), NONE)));
            int pid = stalled.awaitBlocked();
            database.execute("SELECT pg_terminate_backend(" + pid + ")");

            assertThat(failed.join().code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failed.join().outcomeUnknown()).isTrue();
        }
        assertThat(backend.release(granted.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("a statement that somebody cancels has done nothing, and says so")
    void cancelled() throws Exception {
        LockKey key = newKey();
        Granted granted = grant(backend, key);
        try (StalledTransaction stalled = new StalledTransaction(
                database, "SELECT 1 FROM {locks} WHERE key = '" + key.value() + "' FOR UPDATE")) {
            CompletableFuture<LockException> failed =
                    CompletableFuture.supplyAsync(() -> failure(() -> backend.release(granted.lockId(), NONE)));
            database.execute("SELECT pg_cancel_backend(" + stalled.awaitBlocked() + ")");

            assertThat(failed.join().code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(failed.join().outcomeUnknown()).isFalse();
        }
        assertThat(backend.isLocked(key, NONE)).isTrue();
    }

    @Test
    @DisplayName("a server that stands still is given up in time; what it does later can be taken back by the lock id")
    void paused() throws Exception {
        LockKey key = newKey();
        LockId lockId = LockIds.random();
        try (HikariDataSource pool = TestDatabase.pool(server.url(), 1)) {
            LockBackend single = on(pool);
            single.isLocked(key, NONE);
            String pid;
            try (Connection connection = pool.getConnection()) {
                pid = Integer.toString(connection.unwrap(PGConnection.class).getBackendPID());
            }
            signal("-STOP", pid);
            long start = System.nanoTime();
            LockException failure;
            try {
                failure = failure(() -> acquire(single, key, lockId, MINUTE));
            } finally {
                signal("-CONT", pid);
            }

            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(failure.outcomeUnknown()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
        }
        // The cancel request may have come first, or the statement: both are possible, hence "unknown".
        await().until(() -> database.query("SELECT 1 FROM pg_stat_activity WHERE state = 'active'"
                        + " AND pid <> pg_backend_pid() AND backend_type = 'client backend'")
                == null);
        boolean granted = backend.isLocked(key, NONE);
        assertThat(backend.release(lockId, NONE))
                .isEqualTo(granted ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_FOUND);
    }

    private static void signal(String signal, String pid) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, pid).start().waitFor()).isZero();
    }

    @Test
    @DisplayName("locks and fences survive a restart and a crash of the server")
    void restart() {
        LockKey key = newKey();
        Granted held = grant(backend, key);

        server.restart();
        awaitServer();
        assertThat(backend.findByKey(key, NONE))
                .hasValueSatisfying(lock -> assertThat(lock.fence()).isEqualTo(held.fence()));
        assertThat(backend.release(held.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);

        Fence last = held.fence();
        for (int i = 0; i < 3; i++) {
            Granted next = grant(backend, key);
            assertThat(next.fence()).isGreaterThan(last);
            last = next.fence();
            server.crash();
            assertThat(failure(() -> backend.isLocked(key, NONE)).code())
                    .isIn(Code.SERVICE_UNAVAILABLE, Code.RATE_LIMITED);
            server.restart();
            awaitServer();
            assertThat(backend.release(next.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    private void awaitServer() {
        await().ignoreExceptions().until(() -> {
            backend.isLocked(newKey(), NONE);
            return true;
        });
    }

    @Test
    @DisplayName("a standby can be asked, but refuses every change as unavailable, without an unknown outcome")
    void standby() {
        LockKey key = newKey();
        Granted held = grant(backend, key);
        server.stop();
        try (PostgresServer standby = server.standby()) {
            LockBackend there = on(TestDatabase.plain(standby.url()));

            assertThat(there.isLocked(key, NONE)).isTrue();
            expectReadOnly(there, held);
        } finally {
            server.restart();
            awaitServer();
        }
    }

    @Test
    @DisplayName("so does a session that is read-only by its settings")
    void readOnlySession() {
        Granted held = grant(backend, newKey());

        expectReadOnly(on(TestDatabase.plain(server.url() + "&options=-c%20default_transaction_read_only=on")), held);

        assertThat(backend.release(held.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private static void expectReadOnly(LockBackend readOnly, Granted held) {
        List<LockException> failures = List.of(
                failure(() -> acquire(readOnly, newKey())),
                failure(() -> readOnly.extend(held.lockId(), MINUTE, NONE)),
                failure(() -> readOnly.release(held.lockId(), NONE)),
                failure(() -> readOnly.raiseFence(newKey(), new Fence(1), NONE)));
        assertThat(failures).allSatisfy(failure -> {
            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasMessageContaining("read-only");
        });
    }

    @Test
    @DisplayName("a wrong password is AuthFailed, and stands in no message")
    void wrongPassword() {
        database.execute("CREATE ROLE " + PostgresServer.SECRET_ROLE + " LOGIN PASSWORD 'right'");
        String url = server.url().replace("user=postgres", "user=" + PostgresServer.SECRET_ROLE + "&password=wr0ng");

        LockException failure = failure(() -> acquire(on(TestDatabase.plain(url)), newKey()));

        assertThat(failure.code()).isEqualTo(Code.AUTH_FAILED);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(failure.toString() + failure.getCause()).doesNotContain("wr0ng");
    }

    @Test
    @DisplayName("a role without permission is AuthFailed, and is told about the GRANTs")
    void withoutPermission() {
        database.execute("CREATE ROLE nothing LOGIN");

        LockException failure = failure(() ->
                acquire(on(TestDatabase.plain(server.url().replace("user=postgres", "user=nothing"))), newKey()));

        assertThat(failure.code()).isEqualTo(Code.AUTH_FAILED);
        assertThat(failure).hasMessageContaining("GRANT");
    }

    @Test
    @DisplayName("a server without free connections is RateLimited")
    void tooManyConnections() throws Exception {
        LockBackend direct = on(TestDatabase.plain(server.url()));
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < 30) {
                all.add(database.connect());
            }
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("53300");
            assertThat(failure(() -> acquire(direct, newKey())).code()).isEqualTo(Code.RATE_LIMITED);
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        assertThat(all).hasSizeLessThan(21);
        await().ignoreExceptions().until(() -> database.query("SELECT 1").equals("1"));
    }
}
