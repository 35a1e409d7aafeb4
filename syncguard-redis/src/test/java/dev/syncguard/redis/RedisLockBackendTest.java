package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is peculiar to Redis, on a server that the tests may break. */
@DisplayName("the Redis backend")
class RedisLockBackendTest {

    private static RedisServer server;

    private RedisLockBackend backend;
    private LockKey key;
    private String lock;
    private String counter;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        server.command("CONFIG", "SET", "maxmemory", "0");
        backend = RedisLockBackend.connect(server.url());
        key = LockKey.of("k-" + UUID.randomUUID());
        lock = "syncguard:" + key.value();
        counter = "syncguard:fence:" + lock;
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private Granted acquire() {
        return (Granted) backend.acquire(request(), none());
    }

    private AcquireRequest request() {
        return new AcquireRequest(key, backend.newLockId(key), new Ttl(30_000), false);
    }

    private static void assertFails(ThrowingCallable call, Code code, String message) {
        assertThatThrownBy(call)
                .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e).hasMessageContaining(message);
                });
    }

    @Test
    @DisplayName("stores a lock, an index entry that ends with it, and a counter that never ends")
    void stores() {
        Granted granted = acquire();

        assertThat(server.command("GET", "syncguard:id:" + granted.lockId().value()))
                .isEqualTo(lock);
        assertThat(Long.parseLong(server.command("PTTL", lock))).isBetween(25_000L, 30_000L);
        assertThat(Long.parseLong(server.command(
                        "PTTL", "syncguard:id:" + granted.lockId().value())))
                .isBetween(25_000L, 30_000L);
        assertThat(server.command("TTL", counter)).isEqualTo("-1");
        assertThat(server.command("GET", lock))
                .contains("\"lockId\":\"" + granted.lockId().value() + "\"", "\"fence\":\"000000000000001\"")
                .doesNotContain("waiters");
    }

    @Test
    @DisplayName("goes on after SCRIPT FLUSH, also asynchronously")
    void scriptFlush() {
        Granted granted = acquire();
        server.command("SCRIPT", "FLUSH");

        assertThat(backend.extend(granted.lockId(), new Ttl(10_000), none())).isInstanceOf(Extended.class);
        server.command("SCRIPT", "FLUSH");
        assertThat(backend.async().orElseThrow().release(new ReleaseRequest(granted.lockId(), key), none()))
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("sends each script once, then its digest")
    void evalOnce() {
        acquire();
        server.command("CONFIG", "RESETSTAT");
        for (int i = 0; i < 5; i++) {
            key = LockKey.of("k-" + UUID.randomUUID());
            backend.release(acquire().lockId(), none());
        }

        String stats = server.command("INFO", "commandstats");
        assertThat(stats).contains("cmdstat_evalsha:calls=10,").doesNotContain("cmdstat_script");
        assertThat(stats.lines().filter(line -> line.startsWith("cmdstat_eval:")))
                .allMatch(line -> line.startsWith("cmdstat_eval:calls=1,"));
    }

    @Test
    @DisplayName("goes on after CLIENT KILL")
    void clientKill() {
        Granted granted = acquire();
        server.command("CLIENT", "KILL", "TYPE", "normal");

        await().ignoreExceptions()
                .until(() -> backend.release(granted.lockId(), none()), ReleaseOutcome.RELEASED::equals);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "42",
                "null",
                "[]",
                "{}",
                "\"text\"",
                "{\"lockId\":1}",
                "{\"lockId\":\"a\",\"expiresAtMs\":\"x\"}",
                "{\"lockId\":\"a\",\"expiresAtMs\":NaN,\"fence\":\"000000000000001\"}",
                "{\"lockId\":\"a\",\"expiresAtMs\":1e300,\"fence\":\"000000000000001\"}",
                "{\"lockId\":\"a\",\"expiresAtMs\":9,\"acquiredAtMs\":9,\"key\":\"k\",\"fence\":\"00000000000000x\"}"
            })
    @DisplayName("never overwrites or deletes a foreign text at the lock's key")
    void foreignText(String value) {
        server.command("SET", lock, value);

        assertFails(() -> backend.acquire(request(), none()), Code.INTERNAL, "foreign value");
        assertFails(() -> backend.isLocked(key, none()), Code.INTERNAL, "foreign value");
        assertFails(() -> backend.findByKey(key, none()), Code.INTERNAL, "foreign value");
        assertThat(server.command("GET", lock)).isEqualTo(value);
        assertThat(server.command("EXISTS", counter)).isEqualTo("0");
    }

    @Test
    @DisplayName("never overwrites or deletes a foreign type at the lock's key")
    void wrongType() {
        server.command("RPUSH", lock, "a", "b");

        assertFails(() -> backend.acquire(request(), none()), Code.INTERNAL, "foreign value");
        assertFails(() -> backend.isLocked(key, none()), Code.INTERNAL, "foreign value");
        assertThat(server.command("LLEN", lock)).isEqualTo("2");
    }

    @Test
    @DisplayName("refuses a foreign value of many megabytes without reading it through")
    void hugeValue() {
        server.command("SETRANGE", lock, "20000000", "x");

        assertFails(() -> backend.acquire(request(), none()), Code.INTERNAL, "foreign value");
        assertThat(server.command("STRLEN", lock)).isEqualTo("20000001");
    }

    @Test
    @DisplayName("does not release or extend through an index entry that leads elsewhere")
    void foreignIndex() {
        LockId lockId = backend.newLockId(key);
        server.command("SET", "precious", "data");
        server.command("SET", "syncguard:id:" + lockId.value(), "precious");

        assertFails(() -> backend.release(lockId, none()), Code.INTERNAL, "foreign value");
        assertFails(() -> backend.extend(lockId, Ttl.DEFAULT, none()), Code.INTERNAL, "foreign value");
        assertFails(() -> backend.findById(lockId, none()), Code.INTERNAL, "foreign value");
        assertThat(server.command("GET", "precious")).isEqualTo("data");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", " 7", "7 ", "007", "abc", "", "1e5", "9000000000000000", "900000000000001"})
    @DisplayName("fails on a damaged counter before anything is written")
    void damagedCounter(String value) {
        server.command("SET", counter, value);
        AcquireRequest request = request();

        assertFails(() -> backend.acquire(request, none()), Code.INTERNAL, "counter");
        assertThat(server.command("EXISTS", lock, index(request.lockId()))).isEqualTo("0");
        assertThat(server.command("GET", counter)).isEqualTo(value);
    }

    @Test
    @DisplayName("fails on a foreign type at the index entry before anything is written")
    void wrongTypeAtIndex() {
        AcquireRequest request = request();
        server.command("RPUSH", index(request.lockId()), "a");

        assertFails(() -> backend.acquire(request, none()), Code.INTERNAL, "foreign value");
        assertThat(server.command("EXISTS", lock, counter)).isEqualTo("0");
    }

    @Test
    @DisplayName("grants again to a lock id whose lock vanished, and its index entry lasts as long as the new lock")
    void sameLockIdAgain() {
        AcquireRequest request = request();
        backend.acquire(request, none());
        server.command("DEL", lock);
        server.command("PEXPIRE", index(request.lockId()), "9000");

        Granted again = (Granted) backend.acquire(request, none());
        assertThat(again.fence()).isEqualTo(new Fence(2));
        assertThat(Long.parseLong(server.command("PTTL", index(request.lockId()))))
                .isBetween(20_000L, 30_000L);
        assertThat(backend.release(request.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\{(.*)\\}>{ $1 }", "\\{(\"lockId\":[^,]+),(.*)\\}>{$2,$1}", "\\}>,\"more\":[1,\"a\"]}"})
    @DisplayName("extends and releases a lock that is written in another way, and keeps what it does not know")
    void otherWriting(String rewrite) {
        Granted granted = acquire();
        String[] change = rewrite.split(">", 2);
        server.command("SET", lock, server.command("GET", lock).replaceFirst(change[0], change[1]), "KEEPTTL");

        Extended extended = (Extended) backend.extend(granted.lockId(), new Ttl(60_000), none());
        assertThat(server.command("GET", lock)).contains("\"expiresAtMs\":" + extended.expiresAtMs());
        if (rewrite.contains("more")) {
            assertThat(server.command("GET", lock)).contains("\"more\":[1,\"a\"]");
        }
        assertThat(backend.findByKey(key, none()))
                .get()
                .extracting(StoredLock::fence)
                .isEqualTo(granted.fence());
        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("changes nothing but the end of a lock when it extends it")
    void extension() {
        Granted granted = acquire();
        String before = server.command("GET", lock);

        Extended extended = (Extended) backend.extend(granted.lockId(), new Ttl(60_000), none());
        assertThat(server.command("GET", lock))
                .isEqualTo(before.replace(
                        "\"expiresAtMs\":" + granted.expiresAtMs(), "\"expiresAtMs\":" + extended.expiresAtMs()));
        assertThat(extended.remainingMs()).isEqualTo(60_000);
    }

    @Test
    @DisplayName("the scripts know the tolerance of the contract")
    void tolerance() {
        assertThat(RedisScript.ACQUIRE.text()).contains("local TOLERANCE_MS = " + Liveness.TIME_TOLERANCE_MS + "\n");
    }

    @Test
    @DisplayName("raises a counter, repairs a damaged one, never lowers it")
    void raises() {
        assertThat(backend.raiseFence(key, new Fence(41), none())).isEqualTo(new Fence(41));
        assertThat(backend.raiseFence(key, new Fence(7), none())).isEqualTo(new Fence(41));
        assertThat(acquire().fence()).isEqualTo(new Fence(42));
        server.command("SET", counter, "garbage");
        assertThat(backend.raiseFence(key, new Fence(50), none())).isEqualTo(new Fence(50));
        server.command("SET", counter, "9000000000000000");
        assertFails(() -> backend.raiseFence(key, new Fence(50), none()), Code.INTERNAL, "used up");
    }

    @Test
    @DisplayName("keeps fences rising over the loss of all data in TIME_FLOORED")
    void timeFloored() {
        try (RedisLockBackend floored = RedisLockBackend.builder(server.url())
                .fenceMode(FenceMode.TIME_FLOORED)
                .build()) {
            Granted before = (Granted) floored.acquire(request(), none());
            server.command("DEL", lock, counter);
            await().until(() ->
                    Long.parseLong(server.command("TIME").lines().findFirst().orElseThrow()) * 1000
                            > before.fence().value());
            Granted after = (Granted) floored.acquire(request(), none());

            assertThat(after.fence().isNewerThan(before.fence())).isTrue();
            assertThat(before.fence().value()).isBetween(1_600_000_000_000L, 90_000_000_000_000L);
        }
    }

    @Test
    @DisplayName("when the server is full: acquire is RateLimited, extend and release work")
    void outOfMemory() {
        Granted held = acquire();
        LockKey other = LockKey.of("other-" + UUID.randomUUID());
        server.command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertFails(
                    () -> backend.acquire(
                            new AcquireRequest(other, backend.newLockId(other), Ttl.DEFAULT, false), none()),
                    Code.RATE_LIMITED,
                    "memory");
            assertThat(backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, true), none()))
                    .isInstanceOf(Refused.class);
            assertThat(backend.extend(held.lockId(), Ttl.DEFAULT, none())).isInstanceOf(Extended.class);
            assertThat(backend.release(held.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
        } finally {
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(server.command("EXISTS", "syncguard:fence:syncguard:" + other.value()))
                .isEqualTo("0");
    }

    @Test
    @DisplayName("a lock of 64 bytes costs less than a kilobyte")
    void memory() {
        key = LockKey.of("x".repeat(28) + UUID.randomUUID());
        Granted granted = acquire();

        long bytes = 0;
        for (String name :
                new String[] {lock(), "syncguard:id:" + granted.lockId().value(), "syncguard:fence:" + lock()}) {
            bytes += Long.parseLong(server.command("MEMORY", "USAGE", name));
        }
        assertThat(key.value()).hasSize(64);
        assertThat(bytes).isLessThanOrEqualTo(1024);
    }

    private String lock() {
        return "syncguard:" + key.value();
    }

    private static String index(LockId lockId) {
        return "syncguard:id:" + lockId.value();
    }

    @Test
    @DisplayName("isLocked changes nothing by default, and with cleanup removes what ended more than 2 s ago")
    void cleanup() {
        Granted granted = acquire();
        String index = "syncguard:id:" + granted.lockId().value();
        rewriteExpiry(1_500);
        try (RedisLockBackend cleaning =
                RedisLockBackend.builder(server.url()).cleanupInIsLocked(true).build()) {
            assertThat(cleaning.isLocked(key, none())).isFalse();
            assertThat(server.command("EXISTS", lock, index)).isEqualTo("2");
            rewriteExpiry(2_500);
            assertThat(backend.isLocked(key, none())).isFalse();
            assertThat(server.command("EXISTS", lock, index)).isEqualTo("2");
            assertThat(cleaning.isLocked(key, none())).isFalse();
            assertThat(server.command("EXISTS", lock, index)).isEqualTo("0");
            assertThat(server.command("GET", counter)).isEqualTo("1");
        }
    }

    private void rewriteExpiry(long agoMs) {
        List<String> time = server.command("TIME").lines().toList();
        long now = Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
        String value =
                server.command("GET", lock).replaceFirst("\"expiresAtMs\":\\d+", "\"expiresAtMs\":" + (now - agoMs));
        server.command("SET", lock, value, "KEEPTTL");
    }

    @Test
    @DisplayName("a stale index entry is removed, the lock of the new owner is not")
    void staleIndex() {
        LockId stale = backend.newLockId(key);
        Granted owner = acquire();
        server.command("SET", "syncguard:id:" + stale.value(), lock);

        assertThat(backend.release(stale, none())).isEqualTo(ReleaseOutcome.NOT_FOUND);
        assertThat(server.command("EXISTS", "syncguard:id:" + stale.value())).isEqualTo("0");
        assertThat(backend.release(owner.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName(
            "an index entry without a lock is not found, and left alone: on a cluster the lock may be elsewhere (E10)")
    void lostLock() {
        Granted granted = acquire();
        server.command("DEL", lock);

        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.NOT_FOUND);
        assertThat(backend.release(new ReleaseRequest(granted.lockId(), key), none()))
                .isEqualTo(ReleaseOutcome.NOT_FOUND);
        assertThat(server.command("EXISTS", index(granted.lockId()))).isEqualTo("1");
    }

    @Test
    @DisplayName("a lock without its index entry is extended and released by a holder that knows its key")
    void lostIndex() {
        Granted granted = acquire();
        server.command("DEL", index(granted.lockId()));

        ExtendRequest extension = new ExtendRequest(granted.lockId(), key, new Ttl(60_000), Mode.AT_LEAST);
        assertThat(backend.extend(extension, none())).isInstanceOf(Extended.class);
        assertThat(server.command("GET", index(granted.lockId()))).isEqualTo(lock);
        server.command("DEL", index(granted.lockId()));
        assertThat(backend.release(new ReleaseRequest(granted.lockId(), key), none()))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("a key that the lock id does not hold changes nothing, neither the lock there nor the index entry")
    void otherKey() {
        Granted granted = acquire();
        LockKey other = LockKey.of("other-" + UUID.randomUUID());
        Granted there = (Granted)
                backend.acquire(new AcquireRequest(other, backend.newLockId(other), new Ttl(30_000), false), none());

        assertThat(backend.release(new ReleaseRequest(granted.lockId(), other), none()))
                .isEqualTo(ReleaseOutcome.NOT_FOUND);
        assertThat(backend.findById(granted.lockId(), none())).isPresent();
        assertThat(backend.release(there.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(backend.release(granted.lockId(), none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("a grant carries the lock id that the server names, and the guard refuses another one (A1)")
    void echo() {
        LockId other = backend.newLockId(key);
        AcquireRequest request = request();
        try (TcpProxy proxy = TcpProxy.to(server.port());
                RedisLockBackend behind = RedisLockBackend.connect("redis://127.0.0.1:" + proxy.port())) {
            proxy.rewriteReplies(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)
                    .replaceFirst("[A-Za-z0-9_-]{22}(?= \\d{15} )", other.value())
                    .getBytes(StandardCharsets.ISO_8859_1));
            Granted granted = (Granted) behind.acquire(request, none());
            assertThat(granted.lockId()).isEqualTo(other);
            backend.release(request.lockId(), none());

            SyncGuard guard = SyncGuard.of(behind);
            assertFails(() -> guard.acquire(key.value()).close(), Code.INTERNAL, "another lock id");
            await().until(() -> !backend.isLocked(key, none()));
        }
    }

    @Test
    @DisplayName("works through the guard as the documentation shows")
    void facade() {
        try (SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(server.url()))) {
            String fence = guard.call(key.value(), lease -> lease.fence().toString());

            assertThat(fence).isEqualTo("000000000000001");
            assertThat(guard.isLocked(key.value())).isFalse();
        }
    }

    @Test
    @DisplayName("locks under a prefix so long that names are hashed, and finds, lists and releases them")
    void hashedNames() {
        String prefix = "p".repeat(946);
        LockKey longest = LockKey.of("k".repeat(512));
        String hashed = prefix + ":" + StorageKeys.hash(prefix + ":" + longest.value());
        try (RedisLockBackend there =
                RedisLockBackend.builder(server.url()).keyPrefix(prefix).build()) {
            LockId lockId = there.newLockId(longest);
            AcquireRequest request = new AcquireRequest(longest, lockId, new Ttl(30_000), false);
            Granted first = (Granted) there.acquire(request, none());

            assertThat(server.command("EXISTS", hashed)).isEqualTo("1");
            assertThat(there.isLocked(longest, none())).isTrue();
            assertThat(there.findById(lockId, none()).orElseThrow().key()).isEqualTo(longest.value());
            assertThat(there.listing()
                            .orElseThrow()
                            .list(Optional.empty(), 1000, none())
                            .locks())
                    .extracting(StoredLock::lockId)
                    .containsExactly(lockId);
            assertThat(there.extend(lockId, new Ttl(60_000), none())).isInstanceOf(Extended.class);
            assertThat(there.release(lockId, none())).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(server.command("EXISTS", hashed)).isEqualTo("0");
            Granted second = (Granted) there.acquire(
                    new AcquireRequest(longest, there.newLockId(longest), new Ttl(30_000), false), none());
            assertThat(second.fence().isNewerThan(first.fence())).isTrue();
        }
    }
}
