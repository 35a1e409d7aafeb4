package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guard of Redis has beside the contract. */
class RedisFenceGuardTest {

    private static final Fence OLD = new Fence(1);
    private static final Fence NEW = new Fence(2);

    private final RedisClient client = Redis.client(Redis.get().url());
    private final StatefulRedisConnection<String, String> connection = client.connect();
    private final RedisCommands<String, String> redis = connection.sync();
    private final RedisFenceGuard fences = RedisFenceGuard.on(connection);
    private final String key = "account:" + UUID.randomUUID();

    @AfterEach
    void close() {
        client.shutdown();
    }

    @Test
    @DisplayName("a hash is written field by field, and by no stale writer")
    void hashes() {
        fences.hset(key, Map.of("balance", "100", "owner", "ann"), NEW);

        assertThatThrownBy(() -> fences.hset(key, Map.of("balance", "0"), OLD)).isInstanceOf(StaleFenceException.class);

        assertThat(redis.hgetall(key)).containsOnly(Map.entry("balance", "100"), Map.entry("owner", "ann"));
    }

    @Test
    @DisplayName("a deletion is fenced, and leaves the fence")
    void deletes() {
        fences.set(key, "v", NEW);

        assertThatThrownBy(() -> fences.del(key, OLD)).isInstanceOf(StaleFenceException.class);
        assertThat(redis.get(key)).isEqualTo("v");
        assertThat(fences.del(key, NEW)).isTrue();
        assertThat(fences.del(key, NEW)).isFalse();

        assertThat(redis.get(key)).isNull();
        assertThatThrownBy(() -> fences.set(key, "late", OLD)).isInstanceOf(StaleFenceException.class);
    }

    @Test
    @DisplayName("a script of the application sees its own keys and arguments, and its result comes back")
    void scripts() {
        FencedScript echo = FencedScript.of("""
                redis.call('SET', KEYS[1], ARGV[1])
                return {#KEYS, #ARGV, ARGV[2], {'nested', 7}}""");

        assertThat(fences.run(echo, List.of(key, key + "2"), List.of("v", "w"), NEW))
                .containsExactly(2L, 2L, "w", "nested", 7L);
        assertThat(fences.run(FencedScript.of("local x = 1"), List.of(key), List.of(), NEW))
                .isEmpty();
        assertThat(fences.run(FencedScript.of("#!lua\nreturn 'x'"), List.of(key), List.of(), NEW))
                .containsExactly("x");
        assertThatThrownBy(() -> fences.run(echo, List.of(key, key + "2"), List.of("late", "w"), OLD))
                .isInstanceOf(StaleFenceException.class);
        assertThat(redis.get(key)).isEqualTo("v");
    }

    @Test
    @DisplayName("a script that fails half-way keeps older holders away from what it left")
    void failingScript() {
        FencedScript failing =
                FencedScript.of("redis.call('SET', KEYS[1], 'half'); return redis.call('INCR', KEYS[1])");

        assertThatThrownBy(() -> fences.run(failing, List.of(key), List.of(), NEW))
                .isInstanceOf(LockException.class)
                .isNotInstanceOf(StaleFenceException.class);

        assertThat(redis.get(key)).isEqualTo("half");
        assertThatThrownBy(() -> fences.set(key, "late", OLD)).isInstanceOf(StaleFenceException.class);
        fences.set(key, "repeated", NEW);
        assertThat(redis.get(key)).isEqualTo("repeated");
    }

    @Test
    @DisplayName("the check alone guards what is elsewhere")
    void checkAlone() {
        fences.advance(key, NEW);
        assertThatThrownBy(() -> fences.advance(key, OLD)).isInstanceOf(StaleFenceException.class);
        assertThat(fences.async().advance(key, NEW).toCompletableFuture().join())
                .isTrue();
    }

    @Test
    @DisplayName("the asynchronous view has every write, and its failures are in the stage")
    void asynchronous() {
        AsyncRedisFenceGuard async = fences.async();
        assertThat(async.hset(key, Map.of("f", "v"), NEW).toCompletableFuture().join())
                .isTrue();
        assertThat(async.del(key, NEW).toCompletableFuture().join()).isTrue();
        FencedScript script = FencedScript.of("return 5");
        assertThat(async.run(script, List.of(key), List.of(), NEW)
                        .toCompletableFuture()
                        .join())
                .containsExactly(5L);
        assertThat(async.set(key, "late", OLD))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(StaleFenceException.class);
        assertThat(async.set(key, null, NEW).toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    @DisplayName("a server that forgot its scripts gets them again")
    void scriptFlush() {
        fences.set(key, "one", OLD);
        redis.scriptFlush();
        fences.set(key, "two", OLD);
        assertThat(redis.get(key)).isEqualTo("two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "abcdefghijklmno", "0000000000000001", "-00000000000001", ""})
    @DisplayName("a foreign value at the fence's key stops every write, and stays")
    void foreignValue(String value) {
        String fenceKey = RedisFenceKeys.of(LockKey.of(key));
        redis.set(fenceKey, value);

        LockException failure = catchThrowableOfType(LockException.class, () -> fences.set(key, "v", NEW));

        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(redis.get(key)).isNull();
        assertThat(redis.get(fenceKey)).isEqualTo(value);
        assertThatThrownBy(() -> fences.highest(key)).isInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("a list at the fence's key stops every write as well")
    void foreignType() {
        redis.rpush(RedisFenceKeys.of(LockKey.of(key)), "x");

        assertThatThrownBy(() -> fences.set(key, "v", NEW)).hasMessageContaining("foreign value");
        assertThatThrownBy(() -> fences.highest(key)).hasMessageContaining("foreign value");
        assertThat(redis.get(key)).isNull();
    }

    @Test
    @DisplayName("a user who must not read is told so, and not to remove the fence as a foreign value")
    void noPermission() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "blind", "reset", "on", ">s3cret", "~*", "+eval", "+evalsha", "+set");
            RedisClient blind = Redis.client("redis://blind:s3cret@127.0.0.1:" + server.port());
            try {
                RedisFenceGuard guard = RedisFenceGuard.on(blind.connect());
                FencedScript script = FencedScript.of("return redis.call('SET', KEYS[1], 'v')");

                for (Runnable action : List.<Runnable>of(
                        () -> guard.set(key, "v", NEW),
                        () -> guard.run(script, List.of(key), List.of(), NEW),
                        () -> guard.highest(key))) {
                    LockException failure = catchThrowableOfType(LockException.class, action::run);
                    assertThat(failure.code()).isEqualTo(Code.AUTH_FAILED);
                    assertThat(failure.outcomeUnknown()).isFalse();
                }
                assertThat(server.command("EXISTS", key)).isEqualTo("0");
            } finally {
                blind.shutdown();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "{a}", "{a}b", "a{b}c", "a{b", "x{}{y", "{a", "{{a}}", "a:b/c"})
    @DisplayName("the fence shares the slot of its key, and no key shares the fence of another")
    void slots(String name) {
        if (name.equals("x{}{y")) {
            assertThatThrownBy(() -> RedisFenceKeys.of(LockKey.of(name))).isInstanceOf(LockException.class);
            return;
        }
        String fence = RedisFenceKeys.of(LockKey.of(name));
        assertThat(SlotHash.getSlot(fence)).isEqualTo(SlotHash.getSlot(name));
        assertThat(fence).isNotEqualTo(RedisFenceKeys.of(LockKey.of("{" + name + "}x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a}b", "{}a", "a{}", "a}{b", "cafe\u0301"})
    @DisplayName("a key that could not have its fence beside it, or is not in normal form, is refused")
    void refusedKeys(String name) {
        assertThatThrownBy(() -> fences.set(name, "v", NEW))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }

    @Test
    @DisplayName("missing arguments are invalid arguments, and nothing is sent")
    void badInput() {
        FencedScript script = FencedScript.of("return 1");
        invalid(() -> fences.set(key, null, NEW));
        invalid(() -> fences.hset(key, Map.of(), NEW));
        invalid(() -> fences.hset(key, Collections.singletonMap("f", null), NEW));
        invalid(() -> fences.run(script, List.of(), List.of(), NEW));
        invalid(() -> fences.run(script, Arrays.asList(key, null), List.of(), NEW));
        invalid(() -> fences.run(script, List.of(key), Arrays.asList("a", null), NEW));
        invalid(() -> fences.run(null, List.of(key), List.of(), NEW));
        invalid(() -> FencedScript.of(" "));
        invalid(() -> FencedScript.of("#!lua flags=no-writes\nreturn 1"));
        invalid(() -> RedisFenceGuard.on((StatefulRedisConnection<?, ?>) null));
        assertThat(fences.highest(key)).isEmpty();
    }

    private static void invalid(Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }

    @Test
    @DisplayName("a connection with another codec will do")
    void otherCodec() {
        RedisFenceGuard bytes = RedisFenceGuard.on(client.connect(ByteArrayCodec.INSTANCE));
        bytes.set(key, "\u00fcber", NEW);
        assertThat(redis.get(key)).isEqualTo("\u00fcber");
    }

    @Test
    @DisplayName("a connection that would send a script again after a reconnect is refused: it could be executed twice")
    void replaying() {
        RedisClient replaying = RedisClient.create(Redis.get().url());
        try {
            StatefulRedisConnection<String, String> other = replaying.connect();

            LockException failure = catchThrowableOfType(LockException.class, () -> RedisFenceGuard.on(other));

            assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(failure).hasMessageContaining("REJECT_COMMANDS");
        } finally {
            replaying.shutdown();
        }
    }

    @Test
    @DisplayName("a server that is gone is a lock exception with a code")
    void serverGone() {
        RedisServer server = RedisServer.start();
        RedisClient other = Redis.client(server.url());
        try {
            StatefulRedisConnection<String, String> lost = other.connect();
            lost.setTimeout(Duration.ofMillis(500));
            RedisFenceGuard gone = RedisFenceGuard.on(lost);
            server.close();

            LockException failure = catchThrowableOfType(LockException.class, () -> gone.set(key, "v", NEW));

            assertThat(failure.code()).isIn(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT);
        } finally {
            other.shutdown();
        }
    }
}
