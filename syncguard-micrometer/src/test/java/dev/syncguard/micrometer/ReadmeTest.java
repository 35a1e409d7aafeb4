package dev.syncguard.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.telemetry.TelemetryLockBackend;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(syncguard[a-z.]+)` \\|");

    @Test
    @DisplayName("the README lists exactly the meters that exist")
    void listsAll() throws IOException {
        Set<String> listed = new TreeSet<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("README.md")));
        while (rows.find()) {
            listed.add(rows.group(1));
        }

        assertThat(listed).isEqualTo(existing());
    }

    private static Set<String> existing() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        LockSimulator simulator = new LockSimulator();
        try (SyncGuard guard = simulator.newGuard(
                        backend -> MeteredLockBackend.builder(backend, registry)
                                .fences(1)
                                .build(),
                        settings -> settings);
                TelemetryLockBackend telemetry = TelemetryLockBackend.of(simulator.newBackend(), event -> {})) {
            new GuardMeters(guard, Tags.empty()).withEventsOf(telemetry).bindTo(registry);
            guard.acquire("forgotten", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
            assertThat(guard.tryAcquire("forgotten", Duration.ofSeconds(5))).isNotNull();
            guard.acquire("renewed", LockOptions.defaults().autoExtend());
            simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
            simulator.advance(Duration.ofMinutes(1));
            guard.acquire("a").close();
        }
        Set<String> names = new TreeSet<>();
        registry.getMeters().forEach(meter -> names.add(meter.getId().getName()));
        return names;
    }
}
