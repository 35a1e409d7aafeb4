package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Another client's transaction that sits on a row or a table. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresStallTest {

    private static final Duration TIMEOUT = Duration.ofMillis(2500);

    private final TestDatabase database = TestDatabase.create();
    private final PostgresProbe probe = new PostgresProbe(database);
    private final LockBackend quick = database.builder().commandTimeout(TIMEOUT).build();
    private final LockBackend patient =
            database.builder().commandTimeout(Duration.ofSeconds(30)).build();

    @AfterAll
    void close() {
        quick.close();
        patient.close();
        database.close();
    }

    private interface Attempt {
        Object on(LockBackend backend, LockKey key, Granted granted);
    }

    private record Stall(String name, String sql, Attempt attempt) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Stall> stalls() {
        Attempt acquire = (backend, key, granted) -> acquire(backend, key);
        Attempt release = (backend, key, granted) -> backend.release(granted.lockId(), NONE);
        Attempt extend = (backend, key, granted) -> backend.extend(granted.lockId(), MINUTE, NONE);
        Attempt find = (backend, key, granted) -> backend.findByKey(key, NONE);
        String row = "SELECT 1 FROM {locks} WHERE key = 'KEY' FOR UPDATE";
        String table = "LOCK TABLE {locks} IN ACCESS EXCLUSIVE MODE";
        return Stream.of(
                new Stall("release, row", row, release),
                new Stall("extend, row", row, extend),
                new Stall("acquire, table", table, acquire),
                new Stall("release, table", table, release),
                new Stall("extend, table", table, extend),
                new Stall("find, table", table, find));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stalls")
    @DisplayName("an operation gives up within the command timeout, and nothing has happened")
    void givesUp(Stall stall) throws Exception {
        LockKey key = newKey();
        Granted granted = grant(quick, key);
        StalledTransaction.during(
                database,
                stall.sql.replace("KEY", key.value()),
                () -> expectTimeout(() -> stall.attempt.on(quick, key, granted)));
        assertThat(probe.stored(key.value())).hasValueSatisfying(lock -> {
            assertThat(lock.expiresAtMs()).isEqualTo(granted.expiresAtMs());
            assertThat(lock.lockId()).isEqualTo(granted.lockId());
        });
    }

    @Test
    @DisplayName("so does an acquire of a key whose ended row or whose counter is sat on")
    void acquireGivesUp() throws Exception {
        LockKey key = newKey();
        grant(quick, key);
        probe.expire(key.value());
        StalledTransaction.during(
                database,
                "SELECT 1 FROM {locks} WHERE key = '" + key.value() + "' FOR UPDATE",
                () -> expectTimeout(() -> acquire(quick, key)));
        StalledTransaction.during(
                database,
                "SELECT 1 FROM {counters} WHERE fence_key = 'fence:" + key.value() + "' FOR UPDATE",
                () -> expectTimeout(() -> acquire(quick, key)));
        assertThat(probe.fenceCounter(key.value())).isEqualTo(1);
    }

    private static void expectTimeout(Callable<?> action) {
        long start = System.nanoTime();
        LockException failure = failure(action);
        long tookMs = (System.nanoTime() - start) / 1_000_000;

        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(tookMs).isLessThan(TIMEOUT.toMillis());
    }

    @Test
    @DisplayName("a refused acquire does not wait for a transaction that sits on the live row")
    void refusalDoesNotWait() throws Exception {
        LockKey key = newKey();
        grant(quick, key);
        StalledTransaction.during(
                database, "SELECT 1 FROM {locks} WHERE key = '" + key.value() + "' FOR UPDATE", () -> {
                    assertThat(acquire(quick, key)).isInstanceOf(Refused.class);
                    assertThat(quick.isLocked(key, NONE)).isTrue();
                });
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an extend that had to wait is judged by the time after the wait")
    void extendAfterWait(Mode mode) throws Exception {
        LockKey key = newKey();
        Granted granted = grant(patient, key);
        try (StalledTransaction stalled = new StalledTransaction(database, expiryOf(key, "+ 300"))) {
            CompletableFuture<ExtendOutcome> extend = CompletableFuture.supplyAsync(() -> extend(granted, mode));
            stalled.awaitBlocked();
            awaitServerTime(probe.nowMs() + 400);
            stalled.commit();

            assertThat(extend.join()).isEqualTo(NotExtended.EXPIRED);
        }
    }

    private ExtendOutcome extend(Granted granted, Mode mode) {
        return patient.extend(new ExtendRequest(granted.lockId(), null, MINUTE, mode), NONE);
    }

    @Test
    @DisplayName("an extend that must not shorten keeps the later expiry that was written while it waited")
    void extendAfterExtension() throws Exception {
        LockKey key = newKey();
        Granted granted = grant(patient, key);
        try (StalledTransaction stalled = new StalledTransaction(database, expiryOf(key, "+ 600000"))) {
            CompletableFuture<ExtendOutcome> extend =
                    CompletableFuture.supplyAsync(() -> extend(granted, Mode.AT_LEAST));
            stalled.awaitBlocked();
            stalled.commit();

            assertThat(extend.join()).isInstanceOfSatisfying(Extended.class, extended -> {
                assertThat(extended.remainingMs()).isBetween(500_000L, 600_000L);
                assertThat(probe.stored(key.value()))
                        .hasValueSatisfying(
                                lock -> assertThat(lock.expiresAtMs()).isEqualTo(extended.expiresAtMs()));
            });
        }
    }

    @Test
    @DisplayName("a release that had to wait is judged by the time after the wait")
    void releaseAfterWait() throws Exception {
        LockKey key = newKey();
        Granted granted = grant(patient, key);
        try (StalledTransaction stalled = new StalledTransaction(database, expiryOf(key, "- 700"))) {
            CompletableFuture<ReleaseOutcome> release =
                    CompletableFuture.supplyAsync(() -> patient.release(granted.lockId(), NONE));
            stalled.awaitBlocked();
            awaitServerTime(probe.nowMs() + 400);
            stalled.commit();

            assertThat(release.join()).isEqualTo(ReleaseOutcome.EXPIRED);
        }
    }

    @Test
    @DisplayName("an acquire that had to wait for the row or the counter gets its whole ttl")
    void acquireAfterWait() throws Exception {
        for (String sql : new String[] {
            "SELECT 1 FROM {locks} WHERE key = 'KEY' FOR UPDATE",
            "SELECT 1 FROM {counters} WHERE fence_key = 'fence:KEY' FOR UPDATE"
        }) {
            LockKey key = newKey();
            grant(patient, key);
            probe.expire(key.value());
            try (StalledTransaction stalled = new StalledTransaction(database, sql.replace("KEY", key.value()))) {
                CompletableFuture<AcquireOutcome> acquire = CompletableFuture.supplyAsync(() -> acquire(patient, key));
                stalled.awaitBlocked();
                awaitServerTime(probe.nowMs() + 300);
                long before = probe.nowMs();
                stalled.commit();

                assertThat(acquire.join())
                        .isInstanceOfSatisfying(
                                Granted.class,
                                granted -> assertThat(granted.expiresAtMs())
                                        .isBetween(before + MINUTE.millis(), probe.nowMs() + MINUTE.millis()));
            }
        }
    }

    @Test
    @DisplayName("an acquire that waited for the deletion of a row is told what is left, not its whole ttl")
    void acquireAfterDeletion() throws Exception {
        LockKey key = newKey();
        grant(patient, key);
        probe.expire(key.value());
        String delete = "DELETE FROM {locks} WHERE key = '" + key.value() + "'";
        try (StalledTransaction stalled = new StalledTransaction(database, delete)) {
            CompletableFuture<AcquireOutcome> acquire = CompletableFuture.supplyAsync(() -> acquire(patient, key));
            stalled.awaitBlocked();
            awaitServerTime(probe.nowMs() + 300);
            long before = probe.nowMs();
            stalled.commit();

            assertThat(acquire.join()).isInstanceOfSatisfying(Granted.class, granted -> {
                assertThat(granted.remainingMs()).isLessThanOrEqualTo(granted.expiresAtMs() - before);
                assertThat(granted.remainingMs()).isLessThanOrEqualTo(MINUTE.millis() - 300);
            });
        }
    }

    @Test
    @DisplayName("an acquire that waited for a row that became live again is refused, with the time of that row")
    void acquireAfterRevival() throws Exception {
        LockKey key = newKey();
        grant(patient, key);
        probe.expire(key.value());
        try (StalledTransaction stalled = new StalledTransaction(database, expiryOf(key, "+ 600000"))) {
            CompletableFuture<AcquireOutcome> acquire = CompletableFuture.supplyAsync(() -> acquire(patient, key));
            stalled.awaitBlocked();
            stalled.commit();

            assertThat(acquire.join())
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.grantableInMs()).isBetween(500_000L, 601_000L));
        }
    }

    @Test
    @DisplayName(
            "an acquire that waited for a counter that was raised meanwhile goes on from there, and never lowers it")
    void acquireAfterRaise() throws Exception {
        LockKey key = newKey();
        patient.release(grant(patient, key).lockId(), NONE);
        try (StalledTransaction stalled = new StalledTransaction(
                database, "UPDATE {counters} SET fence = 100 WHERE fence_key = 'fence:" + key.value() + "'")) {
            CompletableFuture<AcquireOutcome> acquire = CompletableFuture.supplyAsync(() -> acquire(patient, key));
            stalled.awaitBlocked();
            stalled.commit();

            assertThat(acquire.join())
                    .isInstanceOfSatisfying(
                            Granted.class,
                            granted -> assertThat(granted.fence()).isEqualTo(new Fence(101)));
            assertThat(probe.fenceCounter(key.value())).isEqualTo(101);
        }
    }

    @Test
    @DisplayName("an acquire waits for the other library's advisory lock, unless it assumes that there is none")
    void advisoryLock() throws Exception {
        LockKey key = newKey();
        try (LockBackend alone = database.builder()
                .assumeNoOtherLibrary()
                .commandTimeout(TIMEOUT)
                .build()) {
            String theirs = "SELECT pg_advisory_xact_lock(hashtext('" + key.value() + "'))";
            StalledTransaction.during(database, theirs, () -> {
                expectTimeout(() -> acquire(quick, key));
                grant(alone, key);
                assertThat(acquire(quick, key)).isInstanceOf(Refused.class);
            });
        }
    }

    @Test
    @DisplayName("while another client is frozen inside its acquire, a waiting acquire waits to its own limit")
    void waitsBehindFrozenClient() throws Exception {
        LockKey key = newKey();
        String theirs = "SELECT pg_advisory_xact_lock(hashtext('" + key.value() + "'))";
        LockOptions patient = LockOptions.defaults().waitAtMost(TIMEOUT.multipliedBy(2));
        try (SyncGuard guard =
                        SyncGuard.of(database.builder().commandTimeout(TIMEOUT).build());
                StalledTransaction frozen = new StalledTransaction(database, theirs)) {
            long start = System.nanoTime();
            assertThat(failure(() -> guard.acquire(key.value(), patient)).code())
                    .isEqualTo(Code.ACQUISITION_TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(TIMEOUT);

            CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(
                    () -> guard.acquire(key.value(), patient.waitAtMost(Duration.ofMinutes(1))));
            frozen.awaitBlocked();
            frozen.commit();
            waiting.join().close();
        }
    }

    private static String expiryOf(LockKey key, String offset) {
        return "UPDATE {locks} SET expires_at_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint " + offset
                + " WHERE key = '" + key.value() + "'";
    }

    private void awaitServerTime(long ms) {
        org.awaitility.Awaitility.await().until(() -> probe.nowMs() > ms);
    }
}
