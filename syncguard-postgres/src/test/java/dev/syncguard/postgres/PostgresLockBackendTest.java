package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What only PostgreSQL does. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresLockBackendTest {

    private static final ExecutorService THREADS = Executors.newFixedThreadPool(16);

    private final TestDatabase database = TestDatabase.create();
    private final PostgresProbe probe = new PostgresProbe(database);
    private final PostgresLockBackend backend = database.builder().build();
    private final LockKey key = newKey();

    @AfterAll
    void close() {
        THREADS.shutdownNow();
        backend.close();
        database.close();
    }

    @Test
    @DisplayName("every operation is one round trip")
    void oneRoundTrip() {
        try (var pool =
                TestDatabase.pool(database.url + "&socketFactory=" + CountingSocketFactory.class.getName(), 1)) {
            LockBackend counted =
                    PostgresLockBackend.builder(pool).names(database.names).build();
            LockKey key = newKey();
            LockId lockId = LockIds.random();
            List<Callable<?>> operations = List.of(
                    () -> acquire(counted, key, lockId, MINUTE),
                    () -> acquire(counted, key, lockId, MINUTE),
                    () -> acquire(counted, key),
                    () -> counted.extend(lockId, MINUTE, NONE),
                    () -> counted.isLocked(key, NONE),
                    () -> counted.findByKey(key, NONE),
                    () -> counted.findById(lockId, NONE),
                    () -> counted.raiseFence(key, new Fence(9), NONE),
                    () -> counted.release(lockId, NONE),
                    () -> counted.release(lockId, NONE));
            // The first operation of a backend also looks for a pooler, and the first acquire at the settings.
            grant(counted, newKey());
            Awaitility.await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);

            assertThat(operations).allSatisfy(operation -> {
                long before = CountingSocketFactory.sent();
                operation.call();
                assertThat(CountingSocketFactory.sent() - before).isEqualTo(1);
            });
        }
    }

    @Test
    @DisplayName("an acquire refused by a holder that committed before writes nothing, not even a transaction id")
    void refusalWritesNothing() {
        LockKey key = newKey();
        grant(backend, key);

        // Other processes of the server write now and then: one quiet round is proof enough.
        Awaitility.await().until(() -> {
            String before = database.query(
                    "SELECT pg_current_wal_insert_lsn() || ' ' || pg_snapshot_xmax(pg_current_snapshot())");
            IntStream.range(0, 20)
                    .forEach(i -> assertThat(acquire(backend, key)).isInstanceOf(Refused.class));
            String after = database.query(
                    "SELECT pg_current_wal_insert_lsn() || ' ' || pg_snapshot_xmax(pg_current_snapshot())");
            return before.equals(after);
        });
    }

    @Test
    @DisplayName("the same key in two schemas is two locks")
    void schemasAreSeparate() {
        try (TestDatabase second = TestDatabase.create();
                LockBackend there = second.builder().build()) {
            LockKey key = newKey();
            Granted here = grant(backend, key);

            assertThat(grant(there, key).fence()).isEqualTo(new Fence(1));
            assertThat(there.release(here.lockId(), NONE)).isEqualTo(ReleaseOutcome.NOT_FOUND);
            assertThat(backend.isLocked(key, NONE)).isTrue();
        }
    }

    @Test
    @DisplayName("one lock id that asks for two keys at once gets one of them, and an error without data for the other")
    void oneLockIdTwoKeys() {
        for (int round = 0; round < 20; round++) {
            LockKey first = newKey();
            LockKey second = newKey();
            LockId lockId = LockIds.random();

            List<Object> outcomes = Stream.of(first, second)
                    .map(key -> CompletableFuture.supplyAsync(() -> acquire(backend, key, lockId, MINUTE), THREADS)
                            .<Object>thenApply(outcome -> outcome)
                            .exceptionally(Throwable::getCause))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(outcomes).filteredOn(Granted.class::isInstance).hasSize(1);
            assertThat(outcomes)
                    .filteredOn(LockException.class::isInstance)
                    .singleElement()
                    .satisfies(failure -> {
                        assertThat(((LockException) failure).code()).isEqualTo(Code.INTERNAL);
                        assertThat(((LockException) failure).outcomeUnknown()).isFalse();
                        assertThat(failure.toString() + ((LockException) failure).getCause())
                                .doesNotContain(lockId.value());
                    });
            assertThat(probe.fenceCounter(first.value()) + probe.fenceCounter(second.value()))
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("of sixteen that ask for a key at once one wins; the next grant has a higher fence")
    void oneWinner() {
        for (int round = 0; round < 10; round++) {
            LockKey key = newKey();

            List<Granted> winners = IntStream.range(0, 16)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> acquire(backend, key), THREADS))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .filter(Granted.class::isInstance)
                    .map(Granted.class::cast)
                    .toList();

            assertThat(winners).hasSize(1);
            assertThat(probe.fenceCounter(key.value())).isBetween(1L, 16L);
            backend.release(winners.get(0).lockId(), NONE);
            assertThat(grant(backend, key).fence().isNewerThan(winners.get(0).fence()))
                    .isTrue();
        }
    }

    @Test
    @DisplayName("a stored lock that is damaged is Internal, and stays as it is")
    void damagedLock() {
        LockKey key = newKey();
        Granted granted = grant(backend, key);
        database.execute("UPDATE {locks} SET fence = '7' WHERE key = '" + key.value() + "'");

        assertThat(failure(() -> backend.findByKey(key, NONE)).code()).isEqualTo(Code.INTERNAL);
        assertThat(failure(() -> acquire(backend, key, granted.lockId(), MINUTE))
                        .code())
                .isEqualTo(Code.INTERNAL);
        assertThat(database.query("SELECT fence FROM {locks} WHERE key = '" + key.value() + "'"))
                .isEqualTo("7");
    }

    @Test
    @DisplayName("a counter over its limit cannot be raised into order, and says so")
    void damagedCounter() {
        LockKey key = newKey();
        probe.setFenceCounter(key.value(), Long.MAX_VALUE);

        assertThat(failure(() -> backend.raiseFence(key, new Fence(5), NONE)).code())
                .isEqualTo(Code.INTERNAL);
        assertThat(failure(() -> acquire(backend, key)).code()).isEqualTo(Code.INTERNAL);
        assertThat(probe.fenceCounter(key.value())).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("TIME_FLOORED fences are at least the server's time, and rise even if the counter is lost")
    void timeFloored() {
        try (LockBackend floored =
                database.builder().fenceMode(FenceMode.TIME_FLOORED).build()) {
            LockKey key = newKey();
            long before = probe.nowMs();
            Granted first = grant(floored, key);
            floored.release(first.lockId(), NONE);
            database.execute("DELETE FROM {counters} WHERE fence_key = 'fence:" + key.value() + "'");
            Granted second = grant(floored, key);

            assertThat(first.fence().value()).isBetween(before, probe.nowMs());
            assertThat(second.fence()).isGreaterThan(first.fence());
            probe.setFenceCounter(key.value(), 5_000_000_000_000L);
            floored.release(second.lockId(), NONE);
            assertThat(grant(floored, key).fence()).isEqualTo(new Fence(5_000_000_000_001L));
        }
    }

    @Test
    @DisplayName("grants wait for the disk even if the database does not, releases never do")
    void synchronousCommit() {
        // What a statement sets for itself shows in the settings of its own transaction only: read it from the text.
        PostgresStatements statements =
                new PostgresStatements(database.names, PostgresChannel.of(database.names), FenceMode.COUNTER, false);
        assertThat(List.of(statements.acquire, statements.extend, statements.raise))
                .allSatisfy(statement ->
                        assertThat(statement.sql()).contains("set_config('synchronous_commit', 'on', true)"));
        assertThat(statements.release.sql()).contains("set_config('synchronous_commit', 'off', true)");
    }

    @Test
    @DisplayName("operations leave no setting behind on the connection")
    void leavesNoSetting() throws Exception {
        try (var pool = TestDatabase.pool(database.url, 1);
                LockBackend single =
                        PostgresLockBackend.builder(pool).names(database.names).build()) {
            single.release(grant(single, newKey()).lockId(), NONE);

            try (var connection = pool.getConnection();
                    var rows = connection
                            .createStatement()
                            .executeQuery(
                                    "SELECT current_setting('lock_timeout') || current_setting('synchronous_commit'),"
                                            + " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())")) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo("0on");
                assertThat(rows.getInt(2)).isZero();
                assertThat(connection.getNetworkTimeout()).isZero();
            }
        }
    }

    @Test
    @DisplayName("a key that the database's encoding cannot hold is InvalidArgument")
    void encoding() {
        String name = TestDatabase.newName();
        database.execute("CREATE DATABASE " + name + " ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        try (TestDatabase latin = TestDatabase.create(database.url.replace("/postgres?", "/" + name + "?"));
                LockBackend there = latin.builder().build()) {
            assertThat(failure(() -> acquire(there, LockKey.of("κλειδί"))).code())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            grant(there, LockKey.of("schlüssel"));
        } finally {
            database.execute("DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    @Test
    @DisplayName("cleanup deletes what expired long ago, and keeps live locks and all counters")
    void cleanup() {
        try (TestDatabase own = TestDatabase.create();
                LockBackend cleaning = own.builder().cleanupInIsLocked(true).build()) {
            PostgresProbe stored = new PostgresProbe(own);
            LockKey old = newKey();
            LockKey live = newKey();
            List.of(old, live).forEach(key -> grant(cleaning, key));
            stored.expireAgo(old.value(), Duration.ofSeconds(6));

            assertThat(cleaning.isLocked(old, NONE)).isFalse();

            Awaitility.await().until(() -> stored.stored(old.value()).isEmpty());
            assertThat(stored.stored(live.value())).isPresent();
            assertThat(stored.fenceCounter(old.value())).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("cleanup happens only if it was asked for")
    void cleanupIsOptional() {
        LockKey ended = newKey();
        grant(backend, ended);
        probe.expire(ended.value());

        backend.isLocked(ended, NONE);

        assertThat(probe.stored(ended.value())).isPresent();
    }

    @Test
    @DisplayName("extend never revives a lock, however long ago it was granted")
    void extendIsStrict() {
        Granted granted = grant(backend, key, new Ttl(60_000));
        probe.expireAgo(key.value(), Duration.ofMillis(1));

        assertThat(backend.extend(granted.lockId(), MINUTE, NONE)).isEqualTo(ExtendOutcome.NotExtended.EXPIRED);
        assertThat(backend.release(granted.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("settings out of range are refused")
    void badSettings() {
        assertThat(failure(() -> PostgresLockBackend.builder(null)).code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure(() -> database.builder().commandTimeout(Duration.ofMillis(1)))
                        .code())
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    @DisplayName("settings that are null are refused")
    void nullSettings() {
        List<Callable<?>> calls = List.of(
                () -> PostgresLockBackend.builder(null),
                () -> database.builder().names(null),
                () -> database.builder().fenceMode(null),
                () -> database.builder().commandTimeout(null),
                () -> database.builder().listenOn(null),
                () -> PostgresNames.defaults().inSchema(null),
                () -> PostgresSchema.check(null, PostgresNames.defaults()),
                () -> PostgresSchema.check(database.pool, null));

        assertThat(calls).allSatisfy(call -> assertThat(failure(call).code()).isEqualTo(Code.INVALID_ARGUMENT));
    }
}
