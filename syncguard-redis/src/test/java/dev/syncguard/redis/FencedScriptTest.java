package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.fence.StaleFenceException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts of an application may return, and how they may fail. */
class FencedScriptTest {

    private static final Fence OLD = new Fence(1);
    private static final Fence NEW = new Fence(2);

    private final RedisClient client = Redis.client(Redis.get().url());
    private final StatefulRedisConnection<String, String> connection = client.connect();
    private final RedisCommands<String, String> redis = connection.sync();
    private final RedisFenceGuard fences = RedisFenceGuard.on(connection);
    private final String key = "script:" + UUID.randomUUID();

    @AfterEach
    void close() {
        client.shutdown();
    }

    private List<Object> run(String script) {
        return fences.run(FencedScript.of(script), List.of(key), List.of(), NEW);
    }

    private LockException failure(String script) {
        return catchThrowableOfType(LockException.class, () -> run(script));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return redis.error_reply('TRYAGAIN or not')",
                "return redis.error_reply('NOSCRIPT here')",
                "return {err='MINE it is'}",
                "return redis.pcall('INCR', KEYS[1])",
                "return {redis.error_reply('NOSCRIPT here')}",
                "return {'first', {redis.pcall('LPUSH', KEYS[1], 'x')}, redis.error_reply('TRYAGAIN')}"
            })
    @DisplayName("an error that a script returns is an exception with its text as the cause, and the script ran once")
    void returnedError(String last) {
        String script = "redis.call('INCR', KEYS[1] .. ':runs') redis.call('SET', KEYS[1], 'text') " + last;
        for (int runs = 1; runs <= 2; runs++) {
            LockException failure = failure(script);

            assertThat(failure.code()).isEqualTo(Code.INTERNAL);
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure).hasCauseInstanceOf(RedisCommandExecutionException.class);
            assertThat(redis.get(key + ":runs")).isEqualTo(String.valueOf(runs));
        }
        assertThatThrownBy(() -> fences.set(key, "late", OLD)).isInstanceOf(StaleFenceException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.call('LPUSH', KEYS[1], 'x')",
                "error('boom')",
                "error({err='TRYAGAIN later'})",
                "error({err='NOSCRIPT here'})",
                "redis.call('NOSUCH')"
            })
    @DisplayName("a script that fails half-way ran once, and its outcome is unknown")
    void halfway(String last) {
        String script = "redis.call('INCR', KEYS[1] .. ':runs') redis.call('SET', KEYS[1], 'text') " + last;
        for (int runs = 1; runs <= 2; runs++) {
            LockException failure = failure(script);

            assertThat(failure.code()).isEqualTo(Code.INTERNAL);
            assertThat(failure.outcomeUnknown()).isTrue();
            assertThat(failure).hasMessageContaining("see the cause");
            assertThat(redis.get(key + ":runs")).isEqualTo(String.valueOf(runs));
        }
    }

    @Test
    @DisplayName("a script that does not compile is an invalid argument, and nothing happened")
    void notCompiled() {
        assertThat(failure("return (").code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(fences.highest(key)).isEmpty();
    }

    @Test
    @DisplayName("of several results the first one counts, as with EVAL")
    void severalResults() {
        assertThat(run("return 1, 2")).containsExactly(1L);
        assertThat(run("return")).isEmpty();
    }

    @Test
    @DisplayName("results of the newer protocol come through, and the connection stays open")
    void newerProtocol() {
        assertThat(run("return {double=3.5}")).containsExactly("3.5");
        assertThat(run("return {big_number='123456789012345678901234567890'}"))
                .containsExactly("123456789012345678901234567890");
        assertThat(run("redis.setresp(3) return {true, false}")).containsExactly(1L, "");
        assertThat(run("return {map={one=1}}")).containsExactly("one", 1L);
        assertThat(redis.ping()).isEqualTo("PONG");
    }

    @Test
    @DisplayName("a value of another type at the key is named as such, and stays")
    void otherType() {
        fences.set(key, "text", NEW);

        LockException failure =
                catchThrowableOfType(LockException.class, () -> fences.hset(key, Map.of("field", "value"), NEW));

        assertThat(failure).hasMessageContaining("another type");
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(redis.get(key)).isEqualTo("text");
    }

    @Test
    @DisplayName("nobody writes to the key of another one's fence through the guard")
    void ownKeys() {
        String tagged = "{" + key + "}:a";
        fences.set(key, "new", NEW);
        fences.set(tagged, "new", NEW);
        for (String fence : new String[] {"syncguard-fence:{" + key + "}", tagged + ":syncguard-fence"}) {
            invalid(() -> fences.set(fence, "000000000000001", OLD));
            invalid(() -> fences.del(fence, OLD));
            invalid(() -> fences.advance(fence, OLD));
            invalid(() -> fences.run(FencedScript.of("return 1"), List.of("{" + key + "}", fence), List.of(), OLD));
        }
        assertThatThrownBy(() -> fences.set(key, "late", OLD)).isInstanceOf(StaleFenceException.class);
        assertThatThrownBy(() -> fences.set(tagged, "late", OLD)).isInstanceOf(StaleFenceException.class);
        fences.set("syncguard-fence:" + key, "allowed", NEW);
        fences.set(key + ":syncguard-fence", "allowed", NEW);
    }

    private static void invalid(Runnable action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }
}
