package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.testbed.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primary whose commits wait for a standby that does not answer: what was not replicated does not count. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class SynchronousStandbyTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final PostgresServer primary = PostgresServer.start(Map.of());
    private final PostgresServer standby = primary.replica("s1");
    private final TestDatabase database = TestDatabase.create(primary.url());
    private final LockBackend backend = on(database.url);
    private final LockKey key = newKey();
    private Granted before;

    private LockBackend on(String url) {
        return PostgresLockBackend.builder(TestDatabase.plain(url))
                .names(database.names)
                .pollOnly()
                .commandTimeout(TIMEOUT)
                .build();
    }

    @BeforeEach
    void silenceStandby() {
        primary.set("synchronous_standby_names", "s1");
        await().until(() ->
                database.query("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'")
                        != null);
        before = grant(backend, key);
        standby.freeze();
    }

    @AfterEach
    void wakeStandby() {
        standby.thaw();
        backend.release(before.lockId(), NONE);
    }

    @AfterAll
    void close() {
        database.pool.close();
        primary.close();
        standby.close();
    }

    private static void expectNotReplicated(Callable<?> action) {
        LockException failure = failure(action);
        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(failure).hasMessageContaining("standby");
    }

    @Test
    @DisplayName("neither a grant nor an extension nor a raised fence is given")
    void nothingIsGiven() {
        expectNotReplicated(() -> acquire(backend, newKey()));
        expectNotReplicated(() -> backend.extend(before.lockId(), MINUTE, NONE));
        expectNotReplicated(() -> backend.raiseFence(newKey(), new Fence(7), NONE));
    }

    @Test
    @DisplayName("nor is it given to a request that is repeated and finds its own lock")
    void notByRepeating() {
        LockKey fresh = newKey();
        LockId lockId = LockIds.random();

        expectNotReplicated(() -> acquire(backend, fresh, lockId, MINUTE));
        expectNotReplicated(() -> acquire(backend, fresh, lockId, MINUTE));

        standby.thaw();
        assertThat(acquire(backend, fresh, lockId, MINUTE)).isInstanceOf(Granted.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "client_min_messages=error",
                "synchronous_commit=local",
                "synchronous_commit=off",
                "statement_timeout=1000"
            })
    @DisplayName("whatever the settings of the role hide or leave out")
    void hiddenBySettings(String setting) {
        expectNotReplicated(() -> acquire(on(database.url + "&options=-c%20" + setting), newKey()));
    }

    @Test
    @DisplayName("the same where statements have no names")
    void simpleProtocol() {
        expectNotReplicated(() -> acquire(on(database.url + "&preferQueryMode=simple"), newKey()));
    }

    @Test
    @DisplayName("a commit whose wait an administrator cancels does not count either")
    void cancelledByOthers() {
        CompletableFuture<Void> asking =
                CompletableFuture.runAsync(() -> expectNotReplicated(() -> acquire(backend, newKey())));
        await().until(() -> database.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                        + " WHERE wait_event = 'SyncRep' AND pid <> pg_backend_pid()")
                != null);
        asking.join();
    }

    @Test
    @DisplayName("what the server kept of it is released in the background")
    void compensated() {
        LockKey fresh = newKey();
        try (SyncGuard guard = SyncGuard.of(on(database.url))) {
            expectNotReplicated(() -> guard.tryAcquire(fresh.value()));
            await().until(() -> !backend.isLocked(fresh, NONE));
        }
    }

    @Test
    @Order(Integer.MAX_VALUE) // the last one: the standby does not become one again
    @DisplayName("after a failover a key has one holder, and no fence is repeated")
    void failover() throws Exception {
        LockKey fresh = newKey();
        standby.thaw();
        Granted last = grant(backend, fresh);
        backend.release(last.lockId(), NONE);
        LockBackend there = on(standby.url());
        await().until(() -> !there.isLocked(fresh, NONE)); // a release does not wait for the standby
        // Not the standby: what has been sent to it would wait in its socket.
        String sender = database.query("SELECT pid FROM pg_stat_replication");
        assertThat(new ProcessBuilder("kill", "-STOP", sender).start().waitFor())
                .isZero();
        expectNotReplicated(() -> acquire(backend, fresh));
        primary.freeze();
        standby.promote();
        try {
            assertThat(there.findByKey(key, NONE)).as("a grant that was given").isPresent();
            Granted next = grant(there, fresh);
            assertThat(next.fence()).isGreaterThan(last.fence());
        } finally {
            primary.thaw();
            primary.set("synchronous_standby_names", "");
        }
    }
}
