package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happens between client and server when the network or the server fails. */
@DisplayName("faults")
class RedisFaultsTest {

    private static final Duration TIMEOUT = Duration.ofMillis(800);

    private final RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    private final TcpProxy proxy = TcpProxy.to(server.port());
    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private RedisLockBackend backend;

    /** With so short a timeout a loaded machine may need several attempts; the tests begin with a sound connection. */
    @BeforeEach
    void connect() {
        backend = await().ignoreExceptionsInstanceOf(LockException.class)
                .until(
                        () -> RedisLockBackend.builder("redis://127.0.0.1:" + proxy.port())
                                .commandTimeout(TIMEOUT)
                                .build(),
                        Objects::nonNull);
        LockKey other = LockKey.of("loads the scripts");
        backend.acquire(new AcquireRequest(other, backend.newLockId(other), Ttl.DEFAULT, false), none());
    }

    @AfterEach
    void close() {
        backend.close();
        proxy.close();
        server.close();
    }

    private Granted acquire() {
        return (Granted) backend.acquire(request(), none());
    }

    private AcquireRequest request() {
        return new AcquireRequest(key, backend.newLockId(key), new Ttl(60_000), false);
    }

    private LockException failure() {
        return catchThrowableOfType(LockException.class, this::acquire);
    }

    @Test
    @DisplayName("a reply that is lost after execution: timeout, outcome unknown")
    void replyLost() {
        proxy.dropReplies(true);

        LockException failure = failure();

        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(server.command("EXISTS", "syncguard:" + key.value())).isEqualTo("1");
    }

    @Test
    @DisplayName("a reply that is lost after execution: the guard takes the orphan back")
    void noOrphan() {
        try (SyncGuard guard = SyncGuard.of(RedisLockBackend.builder("redis://127.0.0.1:" + proxy.port())
                .commandTimeout(TIMEOUT)
                .build())) {
            proxy.dropReplies(true);
            assertThatThrownBy(() ->
                            guard.tryAcquire(key.value(), LockOptions.defaults().ttl(Duration.ofMinutes(5))))
                    .isInstanceOf(LockException.class);
            proxy.dropReplies(false);

            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            server.command("EXISTS", "syncguard:" + key.value()).equals("0"));
        }
    }

    @Test
    @DisplayName("asynchronous calls time out as well")
    void asyncTimeout() {
        proxy.dropReplies(true);

        assertThat(backend.async().orElseThrow().acquire(request(), none()))
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertThat(e.code()).isEqualTo(Code.NETWORK_TIMEOUT);
                    assertThat(e.outcomeUnknown()).isTrue();
                });
    }

    @Test
    @DisplayName("a connection that is reset in flight: unavailable, outcome unknown, nothing is sent again")
    void resetInFlight() {
        try (RedisLockBackend patient = RedisLockBackend.builder("redis://127.0.0.1:" + proxy.port())
                .commandTimeout(Duration.ofSeconds(30))
                .build()) {
            proxy.holdRequests(true);
            var stage = patient.async().orElseThrow().acquire(request(), none());
            proxy.awaitHeldRequest();
            proxy.reset();

            assertThat(stage)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(LockException.class, e -> {
                        assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                        assertThat(e.outcomeUnknown()).isTrue();
                    });
            proxy.holdRequests(false);
            await().ignoreExceptions().until(() -> !patient.isLocked(key, none()));
        }
    }

    @Test
    @DisplayName("while disconnected commands fail at once, and the outcome is known")
    void disconnected() {
        proxy.refuseConnections(true);
        proxy.reset();
        await().until(() -> {
            LockException failure = failure();
            return failure.code() == Code.SERVICE_UNAVAILABLE && !failure.outcomeUnknown();
        });
        long start = System.nanoTime();
        assertThat(failure().outcomeUnknown()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT);

        proxy.refuseConnections(false);
        await().ignoreExceptions().until(() -> acquire() != null);
        assertThat(server.command("GET", "syncguard:fence:syncguard:" + key.value()))
                .isEqualTo("1");
    }

    @Test
    @DisplayName("a restart with the append-only file keeps lock and fence")
    void restart() {
        Granted granted = acquire();
        server.restart();

        await().ignoreExceptions().until(() -> backend.isLocked(key, none()));
        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(acquire().fence().value()).isEqualTo(2);
    }

    @Test
    @DisplayName("a connection that swallows everything is given up and opened anew")
    void silence() {
        proxy.holdRequests(true);
        assertThat(failure().code()).isEqualTo(Code.NETWORK_TIMEOUT);

        await().atMost(Duration.ofSeconds(10)).until(() -> failure().code() == Code.SERVICE_UNAVAILABLE);
        proxy.holdRequests(false);
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() ->
                        assertThatCode(() -> backend.isLocked(key, none())).doesNotThrowAnyException());
    }

    @Test
    @DisplayName("an interrupted thread gets its answer and keeps its flag")
    void interrupted() {
        proxy.latency(Duration.ofMillis(30));
        Thread.currentThread().interrupt();
        try {
            Granted granted = acquire();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    @DisplayName("a frozen server: timeouts, then service again")
    void frozen() {
        Granted granted = acquire();
        server.freeze();
        try {
            assertThatThrownBy(() -> backend.isLocked(key, none())).isInstanceOf(LockException.class);
        } finally {
            server.thaw();
        }
        await().ignoreExceptions()
                .until(() -> backend.release(granted.lockId(), none()), outcome -> outcome == ReleaseOutcome.RELEASED);
    }
}
