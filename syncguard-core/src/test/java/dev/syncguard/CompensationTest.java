package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompensationTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-1")
    @DisplayName("what an acquire of unknown outcome was granted is released")
    void takenBack(Driver driver) {
        simulator.dropReply(Operation.ACQUIRE);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> Blocked.result(driver.acquire(guard, "k", guard.options())))
                .satisfies(e -> assertThat(e.outcomeUnknown()).isTrue());

        assertThat(simulator.fenceCounter("k")).as("it was granted").isEqualTo(1);
        assertThat(simulator.stored("k")).isEmpty();

        simulator.dropReply(Operation.ACQUIRE);
        assertThatThrownBy(() -> Blocked.result(driver.tryAcquire(guard, "k", guard.options())))
                .isInstanceOf(LockException.class);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-1")
    @DisplayName("a release that fails is repeated until it gets through")
    void stubborn(Driver driver) {
        simulator.dropReply(Operation.ACQUIRE);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);

        assertThatThrownBy(() -> Blocked.result(driver.acquire(guard, "k", guard.options())))
                .isInstanceOf(LockException.class);
        assertThat(simulator.stored("k")).isPresent();
        simulator.advance(Duration.ofSeconds(1));

        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-2")
    @DisplayName("a release that may have overtaken the acquire is repeated once, one command timeout later")
    void overtaken(Driver driver) {
        List<ReleaseOutcome> releases = new CopyOnWriteArrayList<>();
        AtomicReference<AcquireRequest> late = new AtomicReference<>();
        LockBackend store = simulator.newBackend();
        LockBackend slow = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                late.set(request);
                throw new LockException(Code.NETWORK_TIMEOUT, "still on its way", null, true);
            }

            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                ReleaseOutcome outcome = super.release(request, signal);
                if (releases.isEmpty()) {
                    store.acquire(late.get(), AbortSignal.none());
                }
                releases.add(outcome);
                return outcome;
            }
        };
        try (SyncGuard slowGuard = SyncGuard.of(slow)) {
            assertThatThrownBy(() -> Blocked.result(driver.acquire(slowGuard, "k", slowGuard.options())))
                    .isInstanceOf(LockException.class);

            await().until(() -> releases.size() == 2);
        }
        assertThat(releases).containsExactly(ReleaseOutcome.NOT_FOUND, ReleaseOutcome.RELEASED);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-3")
    @DisplayName("an attempt that repeats one of unknown outcome uses the same lock id and is not locked out by it")
    void sameId(Driver driver) {
        simulator.dropReply(Operation.ACQUIRE);
        LockOptions options = LockOptions.defaults().retryStoreErrors();

        Lease lease = Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", options));

        assertThat(lease.fence()).isEqualTo(new Fence(1));
        assertThat(simulator.stored("k").orElseThrow().lockId()).isEqualTo(lease.lockId());
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-3")
    @DisplayName("giving up after an unknown outcome takes back what may have been granted")
    void givenUp(Driver driver) {
        LockOptions options = LockOptions.defaults().retryStoreErrors();
        simulator.dropReply(Operation.ACQUIRE);
        simulator.failNext(Operation.ACQUIRE, Code.AUTH_FAILED);

        assertThatThrownBy(() -> Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", options)))
                .isInstanceOf(LockException.class);

        assertThat(simulator.stored("k")).isEmpty();
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
