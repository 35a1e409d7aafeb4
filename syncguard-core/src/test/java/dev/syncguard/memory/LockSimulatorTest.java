package dev.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Fence;
import dev.syncguard.Finding.Level;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        assertThat(there.extend(lease.lockId(), Duration.ofSeconds(1)).ok())
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

    @Test
    @Timeout(20)
    @DisplayName("on one thread a second acquire times out by itself, in simulated time only")
    void timeMovesWhileAllWait() {
        here.acquire("job", RENEWED);
        long before = simulator.nowMs();

        assertThatThrownBy(() -> there.acquire("job")).isInstanceOf(AcquisitionTimeoutException.class);

        assertThat(simulator.nowMs() - before).isEqualTo(5000);
        assertThat(here.isLocked("job")).isTrue();
    }

    @Test
    @Timeout(20)
    @DisplayName("a second acquire gets the lock when the first lease has expired, in simulated time only")
    void timeMovesToTheExpiry() {
        Lease stale = here.acquire("job");
        LockOptions patient = LockOptions.defaults().waitAtMost(Duration.ofDays(1));

        Lease next = there.acquire("job", patient);

        assertThat(next.fence().isNewerThan(stale.fence())).isTrue();
        assertThat(stale.isValid()).isFalse();
    }

    @Test
    @DisplayName("during an outage every operation of every process fails, with a known outcome, until time has passed")
    void outage() {
        Lease lease = here.acquire("k", LockOptions.defaults().ttl(Duration.ofMinutes(5)));
        simulator.outage(Duration.ofSeconds(10));

        assertOut(() -> here.tryAcquire("other"));
        assertOut(() -> there.isLocked("k"));
        assertOut(() -> there.lookup("k"));
        assertOut(() -> there.lookup(lease.lockId()));
        assertOut(() -> there.extend(lease.lockId(), Duration.ofSeconds(1)));
        assertOut(() -> there.release(lease.lockId()));
        LockBackend backend = simulator.newBackend();
        assertOut(() -> backend.raiseFence(LockKey.of("k"), new Fence(1), AbortSignal.none()));
        assertOut(() -> backend.listing().orElseThrow().list(Optional.empty(), 1, AbortSignal.none()));
        assertOut(() -> backend.diagnostics().orElseThrow().inspect(AbortSignal.none()));

        simulator.advance(Duration.ofMillis(9999));
        assertOut(() -> there.isLocked("k"));
        simulator.advance(Duration.ofMillis(1));
        assertThat(there.isLocked("k")).isTrue();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    @DisplayName("faults that were ordered wait for the end of an outage")
    void outageAndFaults() {
        simulator.failNext(Operation.IS_LOCKED, Code.AUTH_FAILED);
        simulator.outage(Duration.ofSeconds(1));
        assertOut(() -> here.isLocked("k"));
        simulator.outage(Duration.ZERO);

        assertThatThrownBy(() -> here.isLocked("k"))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.AUTH_FAILED));
    }

    private static void assertOut(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(e.outcomeUnknown()).isFalse();
        });
    }

    @Test
    @DisplayName("a million locks that come and go, by release, expiry or loss, leave nothing behind")
    void memoryDoesNotGrow() {
        LockBackend backend = simulator.newBackend();
        for (int i = 0; i < 1_000_000; i++) {
            LockKey key = LockKey.of("k" + i % 10);
            LockId id = backend.newLockId(key);
            if (backend.acquire(new AcquireRequest(key, id, Ttl.DEFAULT, false), AbortSignal.none())
                    instanceof Refused) {
                throw new AssertionError("round " + i);
            }
            switch (i % 3) {
                case 0 -> backend.release(id, AbortSignal.none());
                case 1 -> simulator.expire(key.value());
                default -> simulator.loseLock(key.value());
            }
        }

        assertThat(simulator.remembered()).isLessThan(5000);
    }

    @Test
    @DisplayName("asynchronous calls put whatever goes wrong into the stage")
    @SuppressWarnings("NullAway") // what must not be null is null here
    void failedStages() {
        AsyncLockBackend simulated = simulator.newBackend().async().orElseThrow();
        AsyncLockBackend broken = new MemoryLockBackend(new MemoryStore(() -> {
                    throw new OutOfMemoryError("clock");
                }))
                .async()
                .orElseThrow();
        AcquireRequest request = new AcquireRequest(LockKey.of("k"), LockIds.random(), Ttl.DEFAULT, false);

        assertThat(simulated.isLocked(request.key(), null).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(NullPointerException.class);
        assertThat(broken.acquire(request, AbortSignal.none()).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    @DisplayName("m4: thousands of releases that are repeated at the same moment do not overflow the stack")
    void manyTimersAtOnce() throws InterruptedException {
        List<Lease> leases = IntStream.range(0, 2_000)
                .mapToObj(i -> here.acquire("k" + i, LockOptions.defaults().ttl(Duration.ofHours(1))))
                .toList();
        simulator.outage(Duration.ofSeconds(5));
        leases.forEach(Lease::close);

        Thread small = new Thread(null, () -> simulator.advance(Duration.ofSeconds(10)), "small-stack", 256 * 1024);
        small.start();
        small.join();

        assertThat(here.pendingReleases()).isZero();
    }
}
