package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.TlsCertificates;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command timeout holds whatever the server, the network or the pool does. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresTimeLimitTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** What a busy machine may add. A cancel request to a silent server alone takes ten seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private final PostgresServer silent = PostgresServer.start(Map.of());
    private final TestDatabase there = TestDatabase.create(silent.url());
    private final TestDatabase elsewhere = TestDatabase.create();

    @AfterAll
    void close() {
        there.pool.close();
        silent.close();
        elsewhere.close();
    }

    private static LockBackend on(DataSource source, TestDatabase database) {
        return PostgresLockBackend.builder(source)
                .names(database.names)
                .pollOnly()
                .commandTimeout(TIMEOUT)
                .build();
    }

    private static LockException inTime(Callable<?> action) {
        long start = System.nanoTime();
        LockException failure = failure(action);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
        return failure;
    }

    @Test
    @DisplayName("a silent server delays neither its own callers nor the definite answer of another database")
    void silentServer() throws Exception {
        LockKey key = newKey();
        try (HikariDataSource pool = TestDatabase.poolWithoutTests(silent.url(), 1);
                LockBackend ours = on(pool, there);
                LockBackend other = on(elsewhere.pool, elsewhere)) {
            grant(ours, newKey());
            grant(other, newKey());
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            silent.freeze();
            CompletableFuture<LockException> unanswered =
                    CompletableFuture.supplyAsync(() -> inTime(() -> acquire(ours, key)));
            Thread.sleep(TIMEOUT.dividedBy(4).toMillis()); // so that its cancel request is on its way first
            StalledTransaction.during(elsewhere, "LOCK TABLE {locks} IN ACCESS EXCLUSIVE MODE", () -> {
                LockException answered = inTime(() -> acquire(other, key));
                assertThat(answered.code()).isEqualTo(Code.NETWORK_TIMEOUT);
                assertThat(answered.outcomeUnknown()).isFalse();
            });

            assertThat(unanswered.join().code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(unanswered.join().outcomeUnknown()).isTrue();
        } finally {
            silent.thaw();
        }
    }

    @Test
    @DisplayName("so it does over TLS, where the driver reads once more when it closes a connection")
    void silentServerOverTls() {
        Duration timeout = Duration.ofSeconds(6);
        silent.offerTls(TlsCertificates.forHost("127.0.0.1"));
        try (HikariDataSource pool = TestDatabase.poolWithoutTests(silent.url() + "&sslmode=require", 1);
                LockBackend ours = PostgresLockBackend.builder(pool)
                        .names(there.names)
                        .pollOnly()
                        .commandTimeout(timeout)
                        .build()) {
            grant(ours, newKey());
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            silent.freeze();
            long start = System.nanoTime();
            LockException failure = failure(() -> acquire(ours, newKey()));

            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(timeout.multipliedBy(2));
        } finally {
            silent.thaw();
        }
    }

    @ParameterizedTest(name = "connectionTimeout {0} ms, validationTimeout {1} ms")
    @CsvSource({"30000, 20000", "750, 500"})
    @DisplayName("a pool that tests its connections on a silent server delays nobody, and gets back what comes late")
    void idleConnections(long connectionTimeout, long validationTimeout) {
        try (HikariDataSource pool = TestDatabase.pool(silent.url(), 3, config -> {
                    config.setMinimumIdle(3);
                    config.setConnectionTimeout(connectionTimeout);
                    config.setValidationTimeout(validationTimeout);
                });
                LockBackend ours = on(pool, there)) {
            grant(ours, newKey());
            awaitIdle(pool);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)); // the pool tests what was idle for half a second
            silent.freeze();
            LockException failure = inTime(() -> acquire(ours, newKey()));
            assertThat(failure.code()).as("ours or the pool's").isIn(Code.RATE_LIMITED, Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(inTime(() -> ours.release(LockIds.random(), Locks.NONE)).outcomeUnknown())
                    .isFalse();

            silent.thaw();
            awaitIdle(pool);
            grant(ours, newKey());
        } finally {
            silent.thaw();
        }
    }

    private static void awaitIdle(HikariDataSource pool) {
        await().until(() -> pool.getHikariPoolMXBean().getIdleConnections() == 3
                && pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    @Test
    @DisplayName("a server that sends something now and then, but no answer, is given up")
    void trickle() throws Exception {
        there.execute("CREATE FUNCTION \"" + there.names.schema() + "\".trickle() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN LOOP RAISE WARNING 'busy'; PERFORM pg_sleep(0.1); END LOOP; END $$");
        there.execute("CREATE TRIGGER trickle BEFORE INSERT ON {locks} FOR EACH ROW EXECUTE FUNCTION \""
                + there.names.schema() + "\".trickle()");
        String postmaster = there.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
        try (LockBackend ours = on(there.pool, there)) {
            ours.isLocked(newKey(), Locks.NONE);
            signal("-STOP", postmaster); // no cancel request gets through
            LockException failure = inTime(() -> acquire(ours, newKey()));

            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(failure.outcomeUnknown()).isTrue();
        } finally {
            signal("-CONT", postmaster);
            there.execute("DROP TRIGGER trickle ON {locks}");
        }
    }

    private static void signal(String signal, String pid) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, pid).start().waitFor()).isZero();
    }

    @Test
    @DisplayName("the wait for a pooled connection counts, and is RateLimited")
    void exhaustedPool() throws Exception {
        try (HikariDataSource pool =
                        TestDatabase.pool(elsewhere.url, 1, config -> config.setConnectionTimeout(30_000));
                LockBackend ours = on(pool, elsewhere);
                Connection hogged = pool.getConnection()) {
            LockException failure = inTime(() -> acquire(ours, newKey()));

            assertThat(failure.code()).isEqualTo(Code.RATE_LIMITED);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(hogged.isClosed()).isFalse();

            Thread.currentThread().interrupt();
            assertThat(inTime(() -> acquire(ours, newKey())).code()).isEqualTo(Code.RATE_LIMITED);
            assertThat(Thread.interrupted()).as("the caller's own interrupt").isTrue();
        }
    }

    @Test
    @DisplayName("so does a server that takes a connection and says nothing")
    void muteServer() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                LockBackend ours = on(
                        TestDatabase.plain("jdbc:postgresql://127.0.0.1:" + mute.getLocalPort() + "/d?user=u"),
                        elsewhere)) {
            LockException failure = inTime(() -> acquire(ours, newKey()));

            assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasMessageContaining("127.0.0.1:" + mute.getLocalPort());
        }
    }

    @Test
    @DisplayName("no thread is left when a backend is closed")
    void threadsEnd() {
        LockBackend ours = on(elsewhere.pool, elsewhere);
        grant(ours, newKey());
        assertThat(isRunning("watch")).isTrue();
        assertThat(isRunning("connect")).isTrue();
        ours.close();

        await().until(() -> !isRunning("watch") && !isRunning("connect"));
    }

    private static boolean isRunning(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("syncguard-postgres-" + name));
    }
}
