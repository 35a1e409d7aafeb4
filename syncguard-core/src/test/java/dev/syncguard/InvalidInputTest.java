package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InvalidInputTest {

    /** A backend that must not be reached: every call fails the test. */
    private final SyncGuard guard = SyncGuard.of(new UnreachableBackend());

    static Stream<String> badKeys() {
        return Stream.of(
                null,
                "",
                "k".repeat(513),
                "\u00e9".repeat(257),
                "x".repeat(2049),
                "null\u0000inside",
                "half\ud83d",
                "\ude00half");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT24H0.001S"})
    @DisplayName(
            "a backend without a usable command timeout is refused: a guard could not pause between its repetitions")
    void commandTimeout(Duration timeout) {
        LockBackend endless = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public Duration commandTimeout() {
                return timeout;
            }
        };

        assertThatThrownBy(() -> SyncGuard.of(endless))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT))
                .hasMessageContaining("commandTimeout");
    }

    @ParameterizedTest
    @MethodSource("badKeys")
    @Rule("INP-1")
    @DisplayName("a bad key is refused by every verb before any I/O")
    void keys(String key) {
        List<Consumer<String>> verbs = Arrays.asList(
                guard::acquire,
                bad -> {
                    var unused = guard.tryAcquire(bad);
                },
                guard::isLocked,
                guard::lookup,
                guard::lookupRaw,
                bad -> guard.run(bad, lease -> {}),
                bad -> guard.call(bad, lease -> 1),
                bad -> guard.async().acquire(bad).toCompletableFuture().join(),
                bad -> guard.async().isLocked(bad).toCompletableFuture().join());

        assertThat(verbs).allSatisfy(verb -> assertRefused(() -> verb.accept(key), "1 to 512 bytes", key));
    }

    @Test
    @Rule("INP-2")
    @DisplayName("a malformed lock id cannot be made")
    void lockIds() {
        for (String text : Arrays.asList(null, "", "short", "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAA\u00e9")) {
            assertRefused(() -> LockId.parse(text), "22", text);
        }
    }

    @Test
    @Rule("INP-3")
    @DisplayName("a bad ttl is refused in options and extensions before any I/O")
    void ttls() {
        LockId id = LockId.parse("A".repeat(22));
        for (Duration ttl : Arrays.asList(
                null,
                Duration.ZERO,
                Duration.ofMillis(-5),
                Duration.ofNanos(1_500_000),
                Duration.ofDays(366),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertRefused(() -> LockOptions.defaults().ttl(ttl), "1 ms to 365 days", null);
            assertRefused(() -> guard.extend(id, ttl), "1 ms to 365 days", null);
            assertRefused(
                    () -> guard.async().extend(id, ttl).toCompletableFuture().join(), "1 ms to 365 days", null);
        }
    }

    @Test
    @Rule("INP-4")
    @DisplayName("the message says what is allowed and does not repeat the value")
    void messages() {
        String key = "super-secret-".repeat(60);
        SyncGuard simulated = new LockSimulator().newGuard();

        assertRefused(() -> simulated.acquire(key), "at most 512", key);
        assertRefused(() -> LockId.parse("secret"), "exactly 22 base64url characters", "secret");
        assertRefused(() -> simulated.extend(LockId.parse("A".repeat(22)), Duration.ZERO), "whole milliseconds", null);
    }

    private static void assertRefused(Runnable call, String allowed, String value) {
        assertThatThrownBy(call::run).satisfies(thrown -> {
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            assertThat(cause).isInstanceOfSatisfying(LockException.class, e -> {
                assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
                assertThat(e.getMessage()).contains(allowed);
                if (value != null && !value.isEmpty()) {
                    assertThat(e.getMessage()).doesNotContain(value);
                }
            });
        });
    }
}
