package dev.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.StoreDiagnostics.Level;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockSimulatorTest {

    private static final LockOptions RENEWED = LockOptions.defaults().autoExtend();

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard here = simulator.newGuard();
    private final SyncGuard there = simulator.newGuard();

    @Test
    @DisplayName("the story of a stale holder: paused past its lease, its fence is too old")
    void story() {
        Lease stale = here.acquire("invoice:42", RENEWED);
        Lease fresh = there.acquire("receipt:7", RENEWED);

        simulator.pauseHolder("invoice:42", Duration.ofMinutes(1));

        assertThat(stale.wasLost()).isTrue();
        assertThat(fresh.isValid()).as("the other process went on").isTrue();
        Lease next = there.acquire("invoice:42");
        assertThat(next.fence().isNewerThan(stale.fence())).isTrue();
        assertThat(simulator.lastFence("invoice:42")).isEqualTo(next.fence());
    }

    @Test
    @DisplayName("faults hit the next operation of their kind, in order, once each")
    void faults() {
        simulator.failNext(Operation.IS_LOCKED, Code.AUTH_FAILED);
        simulator.failNext(Operation.FIND, Code.RATE_LIMITED);

        assertThatThrownBy(() -> here.isLocked("k")).isInstanceOf(LockException.class);
        assertThat(here.isLocked("k")).isFalse();
        assertThatThrownBy(() -> here.lookup("k")).isInstanceOf(LockException.class);
        assertThat(here.lookup("k")).isEmpty();
    }

    @Test
    @DisplayName("expire ages a lock beyond the tolerance, expireAgo by as much as one likes")
    void expire() {
        Lease lease = here.acquire("k");
        simulator.expireAgo("k", Duration.ofMillis(500));
        assertThat(there.isLocked("k")).as("within the tolerance").isTrue();
        assertThat(there.extend(lease.lockId(), Duration.ofSeconds(1)))
                .as("strict")
                .isFalse();

        simulator.expire("k");

        assertThat(there.isLocked("k")).isFalse();
        assertThatThrownBy(() -> simulator.loseLock("free")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulator.pauseHolder("free", Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("raising a fence counter beyond the limit is refused, and the store says that it is volatile")
    void memory() {
        MemoryLockBackend memory = new MemoryLockBackend();
        LockKey key = LockKey.of("k");

        assertThat(memory.raiseFence(key, new Fence(41), AbortSignal.none())).isEqualTo(new Fence(41));
        assertThat(memory.raiseFence(key, new Fence(7), AbortSignal.none())).isEqualTo(new Fence(41));
        assertThatThrownBy(() -> memory.raiseFence(key, new Fence(Fence.MAX.value() + 1), AbortSignal.none()))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> memory.listing().orElseThrow().list(Optional.empty(), 0, AbortSignal.none()))
                .hasMessageContaining("1 to 10,000");
        simulator.setFenceCounter("k", Fence.MAX.value() + 1);
        assertThatThrownBy(() -> simulator.newBackend().raiseFence(key, new Fence(1), AbortSignal.none()))
                .hasMessageContaining("Internal");
        assertThat(memory.diagnostics().orElseThrow().inspect(AbortSignal.none()))
                .anyMatch(finding -> finding.level() == Level.WARN)
                .anyMatch(finding -> finding.message().startsWith("1 fence counter"));
        assertThat(memory.listing()
                        .orElseThrow()
                        .list(Optional.empty(), 10, AbortSignal.none())
                        .locks())
                .isEmpty();
    }
}
