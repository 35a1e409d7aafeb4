package dev.syncguard.micrometer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("observations")
class ObservationsTest {

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard(
            backend -> MeteredLockBackend.builder(backend, new SimpleMeterRegistry())
                    .tags(Tags.of("store", "test"))
                    .observations(observations)
                    .build(),
            settings -> settings);

    @AfterEach
    void close() {
        guard.close();
    }

    private TestObservationRegistryAssert seen() {
        return TestObservationRegistryAssert.assertThat(observations);
    }

    @Test
    @DisplayName("acquire and hold are children of what the caller does, with hash and fence")
    void granted() {
        Observation caller = Observation.start("caller", observations);
        caller.scoped(() -> guard.acquire("secret").close());
        caller.stop();

        seen().hasObservationWithNameEqualTo("syncguard.acquire")
                .that()
                .hasBeenStopped()
                .hasParentObservationEqualTo(caller)
                .hasLowCardinalityKeyValue("outcome", "granted")
                .hasLowCardinalityKeyValue("store", "test")
                .hasHighCardinalityKeyValue(
                        "syncguard.key.hash", LockKey.of("secret").hash())
                .hasHighCardinalityKeyValue("syncguard.fence", "000000000000001");
        seen().hasObservationWithNameEqualTo("syncguard.hold")
                .that()
                .hasBeenStopped()
                .hasParentObservationEqualTo(caller)
                .hasLowCardinalityKeyValue("outcome", "released")
                .hasHighCardinalityKeyValue("syncguard.fence", "000000000000001");
    }

    @Test
    @DisplayName("contention is an outcome, a failing store an error")
    void notGranted() {
        simulator.newGuard().acquire("k", LockOptions.defaults().autoExtend());
        LockOptions brief = LockOptions.defaults().waitAtMost(Duration.ofSeconds(1));
        assertThatThrownBy(() -> guard.acquire("k", brief)).isInstanceOf(LockException.class);
        seen().hasObservationWithNameEqualTo("syncguard.acquire")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "contended")
                .doesNotHaveError();
    }

    @Test
    @DisplayName("a lost lease is an error of its hold")
    void lost() {
        guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
        simulator.advance(Duration.ofSeconds(5));

        seen().hasObservationWithNameEqualTo("syncguard.hold")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "lost")
                .thenError()
                .isInstanceOf(LeaseLostException.class);
    }
}
