package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.Backoff;
import dev.syncguard.Jitter;
import dev.syncguard.KeyHash;
import dev.syncguard.LockOptions;
import dev.syncguard.RawLockInfo;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.SyncGuardCustomizer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertiesTest {

    @Test
    @DisplayName("every option of a lock has a property")
    void options() {
        Contexts.inMemory()
                .withPropertyValues(
                        "syncguard.defaults.ttl=10s",
                        "syncguard.defaults.wait-at-most=3s",
                        "syncguard.defaults.max-retries=7",
                        "syncguard.defaults.retry-delay=20ms",
                        "syncguard.defaults.max-retry-delay=1s",
                        "syncguard.defaults.backoff=fixed",
                        "syncguard.defaults.jitter=none",
                        "syncguard.defaults.retry-store-errors=true",
                        "syncguard.defaults.auto-extend=true",
                        "syncguard.defaults.hold-at-most=10m",
                        "syncguard.defaults.hold-at-least=1m",
                        "syncguard.defaults.release-on-failure=true",
                        "syncguard.defaults.interrupt-on-loss=true")
                .run(context -> assertThat(context.getBean(SyncGuard.class).options())
                        .isEqualTo(LockOptions.defaults()
                                .ttl(Duration.ofSeconds(10))
                                .waitAtMost(Duration.ofSeconds(3))
                                .maxRetries(7)
                                .retryDelay(Duration.ofMillis(20))
                                .maxRetryDelay(Duration.ofSeconds(1))
                                .backoff(Backoff.FIXED)
                                .jitter(Jitter.NONE)
                                .retryStoreErrors()
                                .autoExtend()
                                .holdAtMost(Duration.ofMinutes(10))
                                .holdAtLeast(Duration.ofMinutes(1))
                                .releaseOnFailure()
                                .interruptOnLoss()));
    }

    @Test
    @DisplayName("without properties the options are those of the library")
    void defaults() {
        Contexts.inMemory()
                .run(context ->
                        assertThat(context.getBean(SyncGuard.class).options()).isEqualTo(LockOptions.defaults()));
    }

    @Test
    @DisplayName("the settings of the guard have properties")
    void guard() {
        String secret = "0123456789abcdef";
        Contexts.inMemory()
                .withPropertyValues(
                        "syncguard.hash-secret=" + secret,
                        "syncguard.label=host-1",
                        "syncguard.threads=3",
                        "syncguard.dispose-timeout=1s",
                        "syncguard.command-timeout=1s")
                .run(context -> {
                    SyncGuard guard = context.getBean(SyncGuard.class);
                    Contexts.whileHeld(guard, "a", () -> {
                        RawLockInfo lock = guard.lookupRaw("a").orElseThrow();
                        assertThat(lock.info().keyHash())
                                .isEqualTo(KeyHash.keyed(secret.getBytes(StandardCharsets.UTF_8))
                                        .hash("a"));
                        assertThat(lock.label()).contains("host-1");
                    });
                });
    }

    @Test
    @DisplayName("a customizer has the last word")
    void customizer() {
        Contexts.inMemory()
                .withPropertyValues("syncguard.label=host-1")
                .withBean(SyncGuardCustomizer.class, () -> builder -> builder.label("host-2"))
                .run(context -> {
                    SyncGuard guard = context.getBean(SyncGuard.class);
                    Contexts.whileHeld(
                            guard,
                            "a",
                            () -> assertThat(guard.lookupRaw("a").orElseThrow().label())
                                    .contains("host-2"));
                });
    }

    @ParameterizedTest
    @CsvSource({
        "syncguard.defaults.ttl, 0s, ttl is 1 ms to 365 days",
        "syncguard.defaults.wait-at-most, -1s, waitAtMost is 0 to 365 days",
        "syncguard.defaults.max-retries, -1, maxRetries is 0 or more",
        "syncguard.threads, 0, threads is 1 or more",
        "syncguard.label, '   ', label",
        "syncguard.hash-secret, short, at least 16 bytes",
        "syncguard.dispose-timeout, 0s, disposeTimeout is more than 0",
        "syncguard.shutdown-timeout, -1s, must not be negative"
    })
    @DisplayName("a value that is out of range is refused with the name of its property")
    void outOfRange(String property, String value, String reason) {
        Contexts.inMemory().withPropertyValues(property + "=" + value).run(context -> {
            assertThat(BackendChoiceTest.analysis(context).getDescription())
                    .startsWith(property + ": ")
                    .contains(reason);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "syncguard.fence-mode, foo, FenceMode",
        "syncguard.defaults.jitter, foo, Jitter",
        "syncguard.postgres.initialize-schema, foo, SchemaMode",
        "syncguard.defaults.ttl, soon, Duration"
    })
    @DisplayName("a value of the wrong type fails at the start")
    void wrongType(String property, String value, String type) {
        Contexts.inMemory()
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(property)
                        .hasStackTraceContaining(type));
    }

    @Test
    @DisplayName("what might be logged shows neither the URL nor the secret")
    void redacted() {
        Contexts.inMemory()
                .withPropertyValues("syncguard.hash-secret=0123456789abcdef")
                .run(context -> assertThat(
                                context.getBean(SyncGuardProperties.class).toString())
                        .doesNotContain("0123456789abcdef", "memory:"));
    }
}
