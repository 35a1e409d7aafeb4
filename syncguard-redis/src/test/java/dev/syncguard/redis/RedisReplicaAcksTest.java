package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.testbed.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What counts only if a replica has it, and what becomes of the rest. */
class RedisReplicaAcksTest {

    private final RedisServer primary = RedisServer.start();
    private final RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
    private final RedisLockBackend first = RedisLockBackend.connect(primary.url());
    private final LockKey key = LockKey.of("k");
    private final AcquireRequest request = new AcquireRequest(key, first.newLockId(key), Ttl.DEFAULT, false);

    @BeforeEach
    void replicate() {
        await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
    }

    @AfterEach
    void close() {
        first.close();
        replica.close();
        primary.close();
    }

    @Test
    @DisplayName("a repeated acquire does not count if no replica has its grant")
    void repeatedAcquireWaitsForReplicas() {
        replica.freeze();
        assertThat(first.acquire(request, none())).isInstanceOf(Granted.class);

        try (RedisLockBackend again =
                RedisLockBackend.builder(primary.url()).replicaAcks(1).build()) {
            assertThatThrownBy(() -> again.acquire(request, none()))
                    .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE));
        }
    }

    @Test
    @DisplayName("a grant that no replica has is released by the guard, not by the backend beside a repetition")
    void failedGrant() {
        RedisLockBackend backend =
                RedisLockBackend.builder(primary.url()).replicaAcks(1).build();
        try (SyncGuard guard = SyncGuard.of(backend)) {
            replica.freeze();

            assertThatThrownBy(() -> backend.acquire(request, none()))
                    .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                    .satisfies(e -> assertThat(e.outcomeUnknown()).isTrue());
            assertThat(primary.command("EXISTS", "syncguard:k")).isEqualTo("1");
            assertThatThrownBy(() -> guard.tryAcquire("other"))
                    .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE));
            await().until(() -> primary.command("EXISTS", "syncguard:other").equals("0"));

            replica.thaw();
            await().untilAsserted(
                            () -> assertThat(backend.acquire(request, none())).isInstanceOf(Granted.class));
        }
    }

    /** From Redis 7.2 and Valkey 8 on, WAIT returns at once for a connection that wrote nothing. */
    @Test
    @DisplayName("a repeated acquire writes, so that WAIT has something to wait for on every server")
    void repeatedAcquireWrites() {
        Granted granted = (Granted) first.acquire(request, none());
        long before = offset();

        Granted again = (Granted) first.acquire(request, none());

        assertThat(again.expiresAtMs()).isEqualTo(granted.expiresAtMs());
        assertThat(again.fence()).isEqualTo(granted.fence());
        assertThat(offset()).isGreaterThan(before);
        assertThat(Long.parseLong(primary.command("PTTL", "syncguard:k"))).isLessThanOrEqualTo(again.remainingMs() + 1);
    }

    @Test
    @DisplayName("an extension that no replica has leaves the lock to its holder")
    void failedExtensionKeepsLock() {
        try (RedisLockBackend holder =
                RedisLockBackend.builder(primary.url()).replicaAcks(1).build()) {
            holder.acquire(request, none());
            replica.freeze();
            ExtendRequest extend =
                    new ExtendRequest(request.lockId(), key, Ttl.of(Duration.ofMinutes(1)), Mode.AT_LEAST);

            assertThatThrownBy(() -> holder.extend(extend, none()))
                    .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                    .satisfies(e -> {
                        assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                        assertThat(e.outcomeUnknown()).isTrue();
                    });
            assertThat(first.findByKey(key, none()).orElseThrow().lockId()).isEqualTo(request.lockId());
        }
    }

    @Test
    @DisplayName("many at once share a WAIT: none stands behind those of the others at the server")
    void manyAtOnce() {
        replica.freeze();
        try (RedisLockBackend backend = RedisLockBackend.builder(primary.url())
                .replicaAcks(1)
                .commandTimeout(Duration.ofSeconds(10))
                .build()) {
            List<CompletableFuture<AcquireOutcome>> many = IntStream.range(0, 12)
                    .mapToObj(i -> {
                        LockKey one = LockKey.of("many-" + i);
                        return new AcquireRequest(one, backend.newLockId(one), Ttl.DEFAULT, false);
                    })
                    .map(one ->
                            backend.async().orElseThrow().acquire(one, none()).toCompletableFuture())
                    .toList();
            assertThat(many).allSatisfy(one -> assertThatThrownBy(one::join).hasMessageContaining("replicas"));

            replica.thaw();
            // Behind whatever stands before it on the connection.
            await().untilAsserted(
                            () -> assertThat(backend.acquire(request, none())).isInstanceOf(Granted.class));
            int waits = primary.command("INFO", "commandstats")
                    .lines()
                    .filter(line -> line.startsWith("cmdstat_wait:"))
                    .mapToInt(line -> Integer.parseInt(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                    .sum();
            assertThat(waits).as("WAITs for 12 grants").isPositive().isLessThan(12);
        }
    }

    private long offset() {
        return primary.command("INFO", "replication")
                .lines()
                .filter(line -> line.startsWith("master_repl_offset:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
    }
}
