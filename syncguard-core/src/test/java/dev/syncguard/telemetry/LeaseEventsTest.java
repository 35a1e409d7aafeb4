package dev.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.Rule;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.LeaseObserver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.telemetry.LockEvent.Reason;
import dev.syncguard.telemetry.LockEvent.Result;
import dev.syncguard.telemetry.LockEvent.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of leases as events. */
class LeaseEventsTest {

    private static final LockKey KEY = LockKey.of("secret-key");
    private static final LockId ID = LockIds.random();
    private final LockException unavailable = new LockException(Code.SERVICE_UNAVAILABLE, "down");

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final LockBackend backend = TelemetryLockBackend.of(new MemoryLockBackend(), events::add);

    @AfterEach
    void end() {
        backend.close();
    }

    private LockEvent translated(LeaseEvent event) {
        backend.leaseObserver().orElseThrow().onLeaseEvent(event);
        await().until(() -> events.size() == 1);
        return events.get(0);
    }

    private static LeaseEvent event(LeaseEvent.Type type, double share, LockException failure) {
        return new LeaseEvent(type, KEY, ID, 5_000_000, share, failure);
    }

    @ParameterizedTest
    @EnumSource(LeaseEvent.Type.class)
    @Rule("TEL-6")
    @DisplayName("each step has an event of the same name, with time, hashes and duration, and without raw identifiers")
    void each(LeaseEvent.Type type) {
        Instant before = Instant.ofEpochMilli(System.currentTimeMillis());

        LockEvent event = translated(event(type, 0, null));

        assertThat(event.type().name()).isEqualTo(type.name());
        assertThat(event.type().isOperation()).isFalse();
        assertThat(event.time()).isBetween(before, Instant.now());
        assertThat(event.keyHash()).contains(KEY.hash());
        assertThat(event.lockIdHash()).isPresent();
        assertThat(event.duration()).isEqualTo(Duration.ofMillis(5));
        assertThat(event.key()).isEmpty();
        assertThat(event.lockId()).isEmpty();
        assertThat(event.toString()).contains(KEY.hash()).doesNotContain("secret-key");
    }

    @Test
    @DisplayName("a release tells how much of the ttl was left")
    void released() {
        LockEvent event = translated(event(LeaseEvent.Type.RELEASED, 0.25, null));

        assertThat(event.result()).isEqualTo(Result.OK);
        assertThat(event.remainingShare()).hasValue(0.25);
        assertThat(event.errorCode()).isEmpty();
    }

    @Test
    @DisplayName("a renewal that failed tells how")
    void renewalFailed() {
        LockEvent event = translated(event(LeaseEvent.Type.RENEWED, 0.6, unavailable));

        assertThat(event.result()).isEqualTo(Result.FAIL);
        assertThat(event.errorCode()).contains(Code.SERVICE_UNAVAILABLE);
        assertThat(event.remainingShare()).hasValue(0.6);
    }

    @Test
    @DisplayName("a wait without a grant has no lock id")
    void waited() {
        LockException timeout = new LockException(Code.ACQUISITION_TIMEOUT, "too late");

        LockEvent event = translated(new LeaseEvent(LeaseEvent.Type.WAITED, KEY, null, 1, 0, timeout));

        assertThat(event.result()).isEqualTo(Result.FAIL);
        assertThat(event.errorCode()).contains(Code.ACQUISITION_TIMEOUT);
        assertThat(event.lockIdHash()).isEmpty();
    }

    @Test
    @Rule("TEL-2")
    @DisplayName("an acquire that ended without a lease is locked, or says how it failed")
    void notGranted() {
        LockEvent contended = translated(event(LeaseEvent.Type.NOT_GRANTED, 0, null));
        events.clear();
        LockEvent failed = translated(event(LeaseEvent.Type.NOT_GRANTED, 0, unavailable));

        assertThat(contended.result()).isEqualTo(Result.FAIL);
        assertThat(contended.reason()).contains(Reason.LOCKED);
        assertThat(failed.reason()).isEmpty();
        assertThat(failed.errorCode()).contains(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("a grant tells its fence")
    void fence() {
        Fence fence = Fence.parse("000000000000042");

        LockEvent event = translated(new LeaseEvent(LeaseEvent.Type.GRANTED, KEY, ID, 1, 0, null, false, fence));

        assertThat(event.fence()).contains(fence);
    }

    @Test
    @DisplayName("a loss tells how it was noticed")
    void lost() {
        LockEvent event = translated(event(LeaseEvent.Type.LOST, 0, loss()));

        assertThat(event.result()).isEqualTo(Result.FAIL);
        assertThat(event.loss()).contains(LeaseLostException.Reason.EXPIRED);
        assertThat(event.toString()).contains("LOST").contains("expired");
    }

    private static LeaseLostException loss() {
        LockSimulator simulator = new LockSimulator();
        Lease lease = simulator.newGuard().acquire("k");
        simulator.advance(Duration.ofHours(1));
        return catchThrowableOfType(LeaseLostException.class, lease::ensureValid);
    }

    @Test
    @DisplayName("a loss tells the code of what kept the lease from being renewed")
    void lostForACause() {
        LockException loss = new LockException(Code.INTERNAL, "lost", unavailable);

        LockEvent event = translated(event(LeaseEvent.Type.LOST, 0, loss));

        assertThat(event.errorCode()).contains(Code.SERVICE_UNAVAILABLE);
        assertThat(event.toString()).contains("ServiceUnavailable");
    }

    @Test
    @DisplayName("a failed release tells whether the application or the end of a block released")
    void releaseFailed() {
        LockEvent disposal =
                translated(new LeaseEvent(LeaseEvent.Type.RELEASE_FAILED, KEY, ID, 1, 0, unavailable, true, null));
        events.clear();
        LockEvent explicit = translated(event(LeaseEvent.Type.RELEASE_FAILED, 0, unavailable));

        assertThat(disposal.source()).contains(Source.DISPOSAL);
        assertThat(explicit.source()).contains(Source.RELEASE);
        assertThat(explicit.errorCode()).contains(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @Rule("TEL-7")
    @DisplayName("the wrapped backend's own observer hears the same, also through two decorators")
    void combined() {
        List<LeaseEvent> heard = new CopyOnWriteArrayList<>();
        LockBackend observing = new ForwardingLockBackend(new MemoryLockBackend()) {
            @Override
            public Optional<LeaseObserver> leaseObserver() {
                return Optional.of(heard::add);
            }
        };
        LeaseEvent granted = event(LeaseEvent.Type.GRANTED, 0, null);
        try (LockBackend two = TelemetryLockBackend.of(TelemetryLockBackend.of(observing, events::add), events::add)) {
            two.leaseObserver().orElseThrow().onLeaseEvent(granted);

            await().until(() -> events.size() == 2);
            assertThat(heard).containsExactly(granted);
        }
    }

    @Test
    @Rule("TEL-2")
    @DisplayName("every word of an event has its name of the specification")
    void specNames() {
        assertThat(Arrays.stream(LockEvent.Type.values())
                        .filter(LockEvent.Type::isOperation)
                        .map(LockEvent.Type::specName))
                .containsExactly("acquire", "release", "extend", "isLocked", "lookup");
        assertThat(Arrays.stream(LockEvent.Type.values())
                        .filter(type -> !type.isOperation())
                        .map(LockEvent.Type::specName))
                .containsExactly("waited", "granted", "notGranted", "renewed", "released", "releaseFailed", "lost");
        assertThat(Arrays.stream(Result.values()).map(Result::specName)).containsExactly("ok", "fail");
        assertThat(Arrays.stream(Reason.values()).map(Reason::specName))
                .containsExactly("locked", "expired", "not-found");
        assertThat(Arrays.stream(Source.values()).map(Source::specName)).containsExactly("release", "disposal");
        assertThat(Arrays.stream(LeaseLostException.Reason.values()).map(LeaseLostException.Reason::specName))
                .containsExactly("expired", "gone", "released");
    }

    @Test
    @Rule("TEL-6")
    @DisplayName("a lease without options that its holder has forgotten is lost when it expires")
    void forgotten() {
        LockSimulator simulator = new LockSimulator();
        List<LockEvent> seen = new CopyOnWriteArrayList<>();
        try (SyncGuard guard =
                simulator.newGuard(store -> TelemetryLockBackend.of(store, seen::add), settings -> settings)) {
            guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(1)));
            simulator.advance(Duration.ofSeconds(2));

            await().until(() -> seen.stream().anyMatch(event -> event.type() == LockEvent.Type.LOST));
        }
    }
}
