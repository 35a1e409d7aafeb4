package dev.syncguard.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.telemetry.TelemetryLockBackend;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("settings")
class SettingsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private MeteredBackendBuilder builder() {
        return MeteredLockBackend.builder(new MemoryLockBackend(), registry);
    }

    private static void lock(MeteredBackendBuilder builder, String... keys) {
        try (SyncGuard guard = SyncGuard.of(builder.build())) {
            for (String key : keys) {
                guard.acquire(key).close();
            }
        }
    }

    private Set<String> keyTags(String meter) {
        return registry.get(meter).meters().stream()
                .map(one -> String.valueOf(one.getId().getTag("key")))
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("by default no meter tells keys apart, and none has a raw key")
    void noKeys() {
        lock(builder(), "secret-1", "secret-2");

        assertThat(registry.getMeters()).extracting(Meter::getId).noneMatch(id -> id.getTag("key") != null);
        assertThat(registry.getMetersAsString()).doesNotContain("secret");
    }

    @Test
    @DisplayName("tagKeys: hashes of the first keys, and other for the rest")
    void taggedKeys() {
        lock(builder().tagKeys(2), "a", "b", "c", "d", "a");

        assertThat(keyTags("syncguard.leases"))
                .containsExactlyInAnyOrder(
                        LockKey.of("a").hash(), LockKey.of("b").hash(), "other");
    }

    @Test
    @DisplayName("fences: the highest fence of the first keys")
    void fences() {
        lock(builder().fences(1), "a", "a", "a", "b");

        Gauge highest = registry.get("syncguard.fence").gauge();
        assertThat(highest.value()).isEqualTo(3);
        assertThat(highest.getId().getTag("key")).isEqualTo(LockKey.of("a").hash());
    }

    @Test
    @DisplayName("tags stand on every meter, so that two guards share a registry")
    void tags() {
        lock(builder().tags(Tags.of("store", "one")), "a");
        lock(builder().tags(Tags.of("store", "two")), "a");

        assertThat(registry.getMeters()).extracting(Meter::getId).allMatch(id -> id.getTag("store") != null);
        assertThat(registry.get("syncguard.leases").meters()).hasSize(2);
    }

    @Test
    @DisplayName("all meters of a name have the same tag keys")
    void sameTagKeys() {
        lock(builder().tagKeys(1), "a", "b");

        registry.getMeters().stream()
                .collect(Collectors.groupingBy(meter -> meter.getId().getName()))
                .values()
                .forEach(SettingsTest::haveTheSameTagKeys);
    }

    private static void haveTheSameTagKeys(Collection<Meter> meters) {
        assertThat(meters.stream()
                        .map(meter -> meter.getId().getTags().stream()
                                .map(tag -> tag.getKey())
                                .toList())
                        .distinct())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 10_001})
    @DisplayName("limits outside 1 to 10,000 are refused")
    void limits(int most) {
        assertThatThrownBy(() -> builder().tagKeys(most))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("tagKeys is 1 to 10000");
        assertThatThrownBy(() -> builder().fences(most)).hasMessageContaining("fences is 1 to 10000");
    }

    @Test
    @DisplayName("the tests run with the version that the build names")
    void version() {
        String expected = System.getProperty("micrometer.expected");
        String location = MeterRegistry.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        assertThat(location).contains("micrometer-core-" + (expected == null ? "" : expected));
    }

    @Test
    @DisplayName("events that a telemetry decorator lost are counted")
    void lostEvents() {
        TelemetryLockBackend telemetry = TelemetryLockBackend.of(new MemoryLockBackend(), event -> {
            throw new IllegalStateException("broken listener");
        });
        try (SyncGuard guard = SyncGuard.of(telemetry)) {
            new GuardMeters(guard, Tags.empty()).withEventsOf(telemetry).bindTo(registry);
            try (Lease lease = guard.acquire("a")) {
                assertThat(lease.isValid()).isTrue();
            }
        }

        FunctionCounter failed =
                registry.get("syncguard.events.lost").tags("fate", "failed").functionCounter();
        assertThat(failed.count()).isEqualTo((double) telemetry.failedEvents()).isPositive();
        assertThat(registry.get("syncguard.events.lost")
                        .tags("fate", "dropped")
                        .functionCounter()
                        .count())
                .isZero();
    }
}
