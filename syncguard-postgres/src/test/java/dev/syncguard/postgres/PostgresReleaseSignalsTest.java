package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.StoreThreads;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Wake-ups by NOTIFY, beyond what the kit tests. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresReleaseSignalsTest {

    private final TestDatabase database = TestDatabase.create();
    private final PostgresLockBackend holder = database.builder().build();
    private final LockKey key = newKey();

    @AfterAll
    void close() {
        holder.close();
        database.close();
    }

    private static ReleaseSignals signals(PostgresLockBackend backend) {
        return backend.releaseSignals().orElseThrow();
    }

    private Subscription subscribe(PostgresLockBackend backend, LockKey key, AtomicInteger woken) {
        Subscription subscription = signals(backend).subscribe(key, woken::incrementAndGet);
        await().until(subscription::isActive);
        return subscription;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a wake-up that throws leaves no advisory lock in the pool, and the listener goes on")
    void throwingWakeUp(boolean atRegistration) {
        LockKey other = newKey();
        try (PostgresLockBackend waiter = database.builder().build()) {
            AtomicInteger calls = new AtomicInteger();
            Subscription broken = signals(waiter).subscribe(other, () -> {
                if (calls.incrementAndGet() > (atRegistration ? 0 : 1)) {
                    throw new AssertionError("a wake-up that throws");
                }
            });
            await().until(() -> calls.get() == 1);
            LockId lockId = grant(holder, other).lockId();
            await().until(() -> {
                holder.release(lockId, NONE);
                return calls.get() > (atRegistration ? 0 : 1);
            });
            broken.close();

            AtomicInteger woken = new AtomicInteger();
            try (Subscription sound = subscribe(waiter, key, woken)) {
                int before = woken.get();
                holder.release(grant(holder, key).lockId(), NONE);
                await().until(() -> woken.get() > before);
                assertThat(sound.isActive()).isTrue();
            }
        }
        await().until(() -> unregistered(other));
    }

    @Test
    @DisplayName("a waiter for whom no thread could be started leaves no registration behind")
    void outOfThreads() {
        LockKey unlucky = newKey();
        AtomicBoolean exhausted = new AtomicBoolean(true);
        try (PostgresConnections connections = new PostgresConnections(database.pool, Duration.ofSeconds(10));
                PostgresReleaseSignals signals = new PostgresReleaseSignals(
                        database.pool,
                        connections,
                        PostgresChannel.of(database.names),
                        StorageKeys.sql(),
                        (name, task) -> {
                            if (exhausted.get()) {
                                throw new OutOfMemoryError("unable to create native thread");
                            }
                            return StoreThreads.start(name, task);
                        })) {
            assertThatThrownBy(() -> signals.subscribe(unlucky, () -> {})).isInstanceOf(OutOfMemoryError.class);

            exhausted.set(false);
            try (Subscription lucky = signals.subscribe(key, () -> {})) {
                await().until(lucky::isActive);
                assertThat(unregistered(unlucky)).isTrue();
            }
        }
    }

    @Test
    @DisplayName("a release notifies only while somebody waits for its key, with a hash of the key")
    void notifiesOnlyWaiters() throws Exception {
        LockKey waited = newKey();
        LockKey other = newKey();
        String channel = PostgresChannel.of(database.names).name();
        try (PostgresLockBackend waiting = database.builder().build();
                Connection spy = database.connect();
                Statement statement = spy.createStatement()) {
            AtomicInteger woken = new AtomicInteger();
            Subscription subscription = subscribe(waiting, waited, woken);
            statement.execute("LISTEN \"" + channel + "\"");

            holder.release(grant(holder, other).lockId(), NONE);
            int before = woken.get();
            holder.release(grant(holder, waited).lockId(), NONE);
            await().until(() -> woken.get() > before);
            subscription.close();
            await().until(() -> unregistered(waited));
            holder.release(grant(holder, waited).lockId(), NONE);

            List<String> payloads = payloads(spy);
            assertThat(payloads).hasSize(1).allMatch(payload -> payload.matches("-?[0-9]+"));
        }
    }

    private boolean unregistered(LockKey key) {
        return database.query("SELECT pg_try_advisory_xact_lock(hashtextextended('" + key.value() + "', "
                        + PostgresChannel.of(database.names).seed() + "))")
                .equals("t");
    }

    private static List<String> payloads(Connection spy) throws Exception {
        try (Statement statement = spy.createStatement()) {
            statement.execute("SELECT 1");
        }
        var notifications = spy.unwrap(PGConnection.class).getNotifications();
        return notifications == null
                ? List.of()
                : List.of(notifications).stream().map(n -> n.getParameter()).toList();
    }

    @Test
    @DisplayName("no release is missed by a waiter that registers while it happens")
    void missesNothing() {
        try (PostgresLockBackend waiting = database.builder().build()) {
            AtomicInteger warmUp = new AtomicInteger();
            try (Subscription first = subscribe(waiting, newKey(), warmUp)) {
                assertThat(first.isActive()).isTrue();
                for (int round = 0; round < 60; round++) {
                    LockKey contended = newKey();
                    Granted granted = grant(holder, contended);
                    CompletableFuture<?> release =
                            CompletableFuture.runAsync(() -> holder.release(granted.lockId(), NONE));
                    waitForLock(waiting, contended);
                    release.join();
                }
            }
        }
    }

    @Test
    @DisplayName("nobody can register between a release that found no waiter and its commit")
    void registersAfterCommit() {
        try (TestDatabase slow = TestDatabase.create();
                PostgresLockBackend releasing = slow.builder().build();
                PostgresLockBackend waiting = slow.builder().build()) {
            String schema = '"' + slow.names.schema() + '"';
            slow.execute("CREATE FUNCTION " + schema + ".nap() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END'");
            slow.execute("CREATE CONSTRAINT TRIGGER nap AFTER DELETE ON {locks} DEFERRABLE INITIALLY DEFERRED"
                    + " FOR EACH ROW EXECUTE FUNCTION " + schema + ".nap()");
            // The listener stands already when it matters.
            Subscription first = subscribe(waiting, newKey(), new AtomicInteger());
            LockKey contended = newKey();
            Granted granted = grant(releasing, contended);

            CompletableFuture<?> release = CompletableFuture.runAsync(() -> releasing.release(granted.lockId(), NONE));
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> slow.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'") != null);
            waitForLock(waiting, contended);

            release.join();
            first.close();
        }
    }

    /** Does what a guard does, but without polling: subscribe, wait until active, attempt, sleep until woken. */
    private static void waitForLock(PostgresLockBackend backend, LockKey contended) {
        AtomicInteger woken = new AtomicInteger();
        try (Subscription subscription = signals(backend).subscribe(contended, woken::incrementAndGet)) {
            await().until(subscription::isActive);
            AcquireRequest request = new AcquireRequest(contended, LockIds.random(), MINUTE, true);
            while (true) {
                int before = woken.get();
                if (backend.acquire(request, NONE) instanceof Granted) {
                    return;
                }
                await().atMost(Duration.ofSeconds(5))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> woken.get() > before);
            }
        }
    }

    @Test
    @DisplayName("a connection that is lost is replaced, the keys registered again and their waiters woken")
    void reconnects() {
        LockKey waited = newKey();
        try (PostgresLockBackend waiting = database.builder().build()) {
            AtomicInteger woken = new AtomicInteger();
            Subscription subscription = subscribe(waiting, waited, woken);
            int before = woken.get();

            database.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                    + " AND mode = 'ShareLock' AND pid <> pg_backend_pid()");

            await().until(() -> woken.get() > before && subscription.isActive());
            int again = woken.get();
            holder.release(grant(holder, waited).lockId(), NONE);
            await().until(() -> woken.get() > again);
        }
    }

    @Test
    @DisplayName("when nobody waits any more the connection goes back to the pool without a trace")
    void givesConnectionBack() throws Exception {
        try (HikariDataSource pool = TestDatabase.pool(database.url, 3)) {
            PostgresLockBackend waiting =
                    PostgresLockBackend.builder(pool).names(database.names).build();
            subscribe(waiting, key, new AtomicInteger());
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);

            waiting.close();

            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            List<Connection> all = new java.util.ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                try (var rows = connection
                        .createStatement()
                        .executeQuery(
                                "SELECT (SELECT count(*) FROM pg_listening_channels()), (SELECT count(*) FROM pg_locks"
                                        + " WHERE locktype = 'advisory' AND pid = pg_backend_pid())")) {
                    rows.next();
                    assertThat(rows.getInt(1) + rows.getInt(2)).isZero();
                }
            }
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    @Test
    @DisplayName("a pool known to be small is spared: waiters poll")
    void sparesSmallPool() {
        try (HikariDataSource pool = TestDatabase.pool(database.url, 2)) {
            assertThat(PostgresLockBackend.builder(pool).build().releaseSignals())
                    .isEmpty();
            assertThat(PostgresLockBackend.builder(pool)
                            .listenOn(TestDatabase.plain(database.url))
                            .build()
                            .releaseSignals())
                    .isPresent();
            assertThat(database.builder().pollOnly().build().releaseSignals()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "where notifications are swallowed a subscription is never active, and waiters get the lock all the same")
    void swallowed() {
        // Listens on one database and notifies in another: nothing arrives, as behind a transaction pooler.
        String elsewhere = database.url.replace("/postgres?", "/template1?");
        try (PostgresLockBackend waiting = database.builder()
                        .listenOn(TestDatabase.plain(elsewhere))
                        .build();
                SyncGuard guard = SyncGuard.of(waiting)) {
            LockKey contended = newKey();
            Granted granted = grant(holder, contended);
            CompletableFuture<Lease> acquire = CompletableFuture.supplyAsync(() ->
                    guard.acquire(contended.value(), LockOptions.defaults().waitAtMost(Duration.ofSeconds(20))));
            await().during(Duration.ofMillis(300)).until(() -> !acquire.isDone());
            holder.release(granted.lockId(), NONE);

            acquire.join().close();
            assertThat(signals(waiting).subscribe(key, () -> {}).isActive()).isFalse();
        }
    }

    @Test
    @DisplayName("more keys than the server's lock table should hold are waited for, the rest polls")
    void manyKeys() {
        try (PostgresLockBackend waiting = database.builder().build()) {
            List<Subscription> all = IntStream.range(0, WaitedKeys.MOST_REGISTERED + 50)
                    .mapToObj(i -> signals(waiting).subscribe(newKey(), () -> {}))
                    .toList();

            await().until(() -> all.stream().filter(Subscription::isActive).count() == WaitedKeys.MOST_REGISTERED);
            all.stream().filter(Subscription::isActive).limit(100).toList().forEach(Subscription::close);
            await().until(() -> all.stream().filter(Subscription::isActive).count() == WaitedKeys.MOST_REGISTERED - 50);
        }
    }
}
