package dev.syncguard.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("meters")
class MetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard metered =
            simulator.newGuard(backend -> MeteredLockBackend.of(backend, registry), settings -> settings);

    @AfterEach
    void close() {
        metered.close();
        guard.close();
    }

    private Timer timer(String name, String... tags) {
        return registry.get(name).tags(tags).timer();
    }

    private long active(String name) {
        return registry.get(name).longTaskTimer().activeTasks();
    }

    private DistributionSummary summary(String name) {
        return registry.get(name).summary();
    }

    @Test
    @DisplayName("of a lease that is released: acquire, hold, margin, and each request of the store")
    void released() {
        Lease lease = metered.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(10)));
        assertThat(active("syncguard.leases.active")).isEqualTo(1);
        simulator.advance(Duration.ofSeconds(4));
        lease.close();

        assertThat(timer("syncguard.acquires", "outcome", "granted", "error", "none")
                        .count())
                .isEqualTo(1);
        assertThat(timer("syncguard.leases", "end", "released").totalTime(TimeUnit.SECONDS))
                .isEqualTo(4);
        assertThat(summary("syncguard.lease.margin").max()).isBetween(0.59, 0.61);
        assertThat(summary("syncguard.lease.margin").getId().getBaseUnit()).isEqualTo("ratio");
        assertThat(timer("syncguard.operations", "operation", "acquire", "outcome", "ok")
                        .count())
                .isEqualTo(1);
        assertThat(timer("syncguard.operations", "operation", "release", "outcome", "ok")
                        .count())
                .isEqualTo(1);
        assertThat(active("syncguard.leases.active")).isZero();
        assertThat(active("syncguard.acquires.active")).isZero();
    }

    @Test
    @DisplayName("of an acquire that waits for another holder in vain")
    void contended() {
        guard.acquire("k", LockOptions.defaults().autoExtend());
        LockOptions brief = LockOptions.defaults().waitAtMost(Duration.ofSeconds(3));
        assertThatThrownBy(() -> metered.acquire("k", brief)).isInstanceOf(LockException.class);

        assertThat(registry.get("syncguard.contentions").counter().count()).isEqualTo(1);
        Timer waited =
                timer("syncguard.acquires", "outcome", "contended", "error", Code.ACQUISITION_TIMEOUT.specName());
        assertThat(waited.totalTime(TimeUnit.SECONDS)).isGreaterThanOrEqualTo(3);
        assertThat(timer("syncguard.operations", "operation", "acquire", "outcome", "locked")
                        .count())
                .isPositive();
        assertThat(active("syncguard.acquires.active")).isZero();
    }

    @Test
    @DisplayName("of one attempt that is refused, and of a store that fails")
    void notGranted() {
        Lease other = guard.acquire("k");
        assertThat(metered.tryAcquire("k")).isNotInstanceOf(Lease.class);
        other.close();
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        assertThatThrownBy(() -> metered.acquire("k")).isInstanceOf(LockException.class);

        assertThat(timer("syncguard.acquires", "outcome", "contended", "error", "none")
                        .count())
                .isEqualTo(1);
        String code = Code.SERVICE_UNAVAILABLE.specName();
        assertThat(timer("syncguard.acquires", "outcome", "error", "error", code)
                        .count())
                .isEqualTo(1);
        assertThat(timer("syncguard.operations", "operation", "acquire", "outcome", "error", "error", code)
                        .count())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("of renewals, with the margin that was left when they were sent")
    void renewed() {
        LockOptions options = LockOptions.defaults().ttl(Duration.ofSeconds(9)).autoExtend();
        try (Lease lease = metered.acquire("k", options)) {
            simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
            simulator.advance(Duration.ofSeconds(20));
            assertThat(lease.isValid()).isTrue();
        }

        assertThat(timer("syncguard.renewals", "outcome", "fail", "error", Code.SERVICE_UNAVAILABLE.specName())
                        .count())
                .isEqualTo(1);
        assertThat(timer("syncguard.renewals", "outcome", "ok", "error", "none").count())
                .isGreaterThanOrEqualTo(5);
        assertThat(summary("syncguard.renewal.margin").max()).isBetween(0.6, 0.7);
    }

    @Test
    @DisplayName("of leases that are lost, also of one without options that its holder has forgotten")
    void lost() {
        metered.acquire("forgotten", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
        metered.acquire("taken", LockOptions.defaults().autoExtend());
        simulator.loseLock("taken");
        simulator.advance(Duration.ofMinutes(1));

        assertThat(timer("syncguard.leases", "end", "lost").count()).isEqualTo(2);
        assertThat(registry.get("syncguard.leases.lost")
                        .tags("reason", "gone")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("syncguard.leases.lost")
                        .tags("reason", "expired")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(active("syncguard.leases.active")).isZero();
    }

    @Test
    @DisplayName("of a release that fails: the hold ends once, and the background is counted by the guard")
    void releaseFails() {
        new GuardMeters(metered, Tags.empty()).bindTo(registry);
        Lease lease = metered.acquire("k");
        simulator.outage(Duration.ofSeconds(5));
        lease.close();

        assertThat(registry.get("syncguard.releases.pending").gauge().value()).isEqualTo(1);
        simulator.advance(Duration.ofMinutes(1));
        assertThat(registry.get("syncguard.releases.pending").gauge().value()).isZero();
        assertThat(timer("syncguard.leases", "end", "release-failed").count()).isEqualTo(1);
        assertThat(registry.find("syncguard.leases").tags("end", "released").timer())
                .isNull();
    }

    @Test
    @DisplayName("of the view without blocked threads")
    void asynchronous() {
        metered.async()
                .run("k", lease -> CompletableFuture.completedStage(null))
                .toCompletableFuture()
                .join();

        await().untilAsserted(() ->
                assertThat(timer("syncguard.leases", "end", "released").count()).isEqualTo(1));
        assertThat(timer("syncguard.operations", "operation", "acquire", "outcome", "ok")
                        .count())
                .isEqualTo(1);
    }
}
