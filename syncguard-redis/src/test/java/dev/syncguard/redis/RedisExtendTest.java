package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.testbed.RedisServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("how long Redis keeps the keys of an extended lock")
class RedisExtendTest {

    private static RedisServer server;

    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private final String lock = "syncguard:" + key.value();
    private RedisLockBackend backend;
    private LockId lockId;
    private String index;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void acquire() {
        backend = RedisLockBackend.connect(server.url());
        lockId = backend.newLockId(key);
        backend.acquire(new AcquireRequest(key, lockId, new Ttl(30_000), false), none());
        index = "syncguard:id:" + lockId.value();
    }

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    @DisplayName("AT_LEAST with a shorter ttl keeps both keys until the stored expiry")
    void keepsBoth() {
        extend(5_000, Mode.AT_LEAST);

        assertBothExpireIn(25_000, 30_000);
    }

    @Test
    @DisplayName("AT_LEAST with a longer ttl and REPLACE with any give both keys that ttl")
    void movesBoth() {
        extend(90_000, Mode.AT_LEAST);
        assertBothExpireIn(85_000, 90_000);

        extend(10_000, Mode.REPLACE);
        assertBothExpireIn(5_000, 10_000);
    }

    @Test
    @DisplayName("AT_LEAST keeps the expiry and the mark of a lock that others wait for")
    void keepsWaiters() {
        backend.acquire(new AcquireRequest(key, backend.newLockId(key), new Ttl(30_000), true), none());
        String before = server.command("GET", lock);
        assertThat(before).contains("waiters");

        extend(5_000, Mode.AT_LEAST);

        assertThat(backend.findByKey(key, none()).orElseThrow().expiresAtMs()).isEqualTo(expiresAtMs(before));
        assertThat(server.command("GET", lock)).contains("waiters");
        assertBothExpireIn(25_000, 30_000);
    }

    @Test
    @DisplayName("AT_LEAST gives back the ttl that an index entry lost")
    void repairsIndex() {
        server.command("PEXPIRE", index, "9000");

        extend(5_000, Mode.AT_LEAST);

        assertBothExpireIn(25_000, 30_000);
    }

    private void extend(long ttlMs, Mode mode) {
        assertThat(backend.extend(new ExtendRequest(lockId, key, new Ttl(ttlMs), mode), none()))
                .isInstanceOf(Extended.class);
    }

    private void assertBothExpireIn(long fromMs, long toMs) {
        assertThat(Long.parseLong(server.command("PTTL", lock))).isBetween(fromMs, toMs);
        assertThat(Long.parseLong(server.command("PTTL", index))).isBetween(fromMs, toMs);
    }

    private static long expiresAtMs(String json) {
        return Long.parseLong(json.replaceAll(".*\"expiresAtMs\":(\\d+).*", "$1"));
    }
}
