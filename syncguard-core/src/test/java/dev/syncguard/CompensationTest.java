package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CompensationTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @Test
    @Rule("CMP-1")
    @DisplayName("what an acquire of unknown outcome was granted is released")
    void takenBack() {
        simulator.dropReply(Operation.ACQUIRE);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> guard.acquire("k"))
                .satisfies(e -> assertThat(e.outcomeUnknown()).isTrue());

        assertThat(simulator.fenceCounter("k")).as("it was granted").isEqualTo(1);
        assertThat(simulator.stored("k")).isEmpty();

        simulator.dropReply(Operation.ACQUIRE);
        assertThatThrownBy(() -> guard.tryAcquire("k")).isInstanceOf(LockException.class);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("CMP-1")
    @DisplayName("a release that fails is repeated until it gets through")
    void stubborn() {
        simulator.dropReply(Operation.ACQUIRE);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);

        assertThatThrownBy(() -> guard.acquire("k")).isInstanceOf(LockException.class);
        assertThat(simulator.stored("k")).isPresent();
        simulator.advance(Duration.ofSeconds(1));

        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("CMP-2")
    @DisplayName("a release that may have overtaken the acquire is repeated once, one command timeout later")
    void overtaken() {
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
            public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
                ReleaseOutcome outcome = super.release(lockId, signal);
                if (releases.isEmpty()) {
                    store.acquire(late.get(), AbortSignal.none());
                }
                releases.add(outcome);
                return outcome;
            }
        };
        try (SyncGuard slowGuard = SyncGuard.of(slow)) {
            assertThatThrownBy(() -> slowGuard.acquire("k")).isInstanceOf(LockException.class);

            await().until(() -> releases.size() == 2);
        }
        assertThat(releases).containsExactly(ReleaseOutcome.NOT_FOUND, ReleaseOutcome.RELEASED);
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("CMP-3")
    @DisplayName("an attempt that repeats one of unknown outcome uses the same lock id and is not locked out by it")
    void sameId() {
        simulator.dropReply(Operation.ACQUIRE);
        LockOptions options = LockOptions.defaults().retryStoreErrors();

        Lease lease = Blocked.whileAdvancing(simulator, () -> guard.acquire("k", options));

        assertThat(lease.fence()).isEqualTo(new Fence(1));
        assertThat(simulator.stored("k").orElseThrow().lockId()).isEqualTo(lease.lockId());
    }

    @Test
    @Rule("CMP-3")
    @DisplayName("giving up after an unknown outcome takes back what may have been granted")
    void givenUp() {
        LockOptions options = LockOptions.defaults().retryStoreErrors();
        simulator.dropReply(Operation.ACQUIRE);
        simulator.failNext(Operation.ACQUIRE, Code.AUTH_FAILED);

        assertThatThrownBy(() -> Blocked.whileAdvancing(simulator, () -> guard.acquire("k", options)))
                .isInstanceOf(LockException.class);

        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @Rule("CMP-4")
    @DisplayName("closing the guard finishes pending compensations")
    void closing() {
        MemoryLockBackend store = new MemoryLockBackend();
        CountDownLatch mayRelease = new CountDownLatch(1);
        LockBackend slow = new BlockingBackend(store) {
            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(10);
            }

            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                super.acquire(request, signal);
                throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
            }

            @Override
            public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
                awaitUninterruptibly(mayRelease);
                return super.release(lockId, signal);
            }
        };
        SyncGuard slowGuard = SyncGuard.of(slow);
        assertThatThrownBy(() -> slowGuard.acquire("k")).isInstanceOf(LockException.class);
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            slowGuard.close();
            return true;
        });
        assertThat(closing).isNotDone();

        mayRelease.countDown();

        assertThat(closing).succeedsWithin(Duration.ofSeconds(20));
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }

    @Test
    @Rule("CMP-4")
    @DisplayName("closing the guard does not wait for a store that never answers")
    void closingIsBounded() {
        simulator.dropReply(Operation.ACQUIRE);
        for (int i = 0; i < 100; i++) {
            simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        }
        assertThatThrownBy(() -> guard.acquire("k")).isInstanceOf(LockException.class);

        try (LogCapture log = LogCapture.start()) {
            assertThat(Blocked.start(() -> {
                        guard.close();
                        return true;
                    }))
                    .succeedsWithin(Duration.ofSeconds(20));
            assertThat(log.messages()).singleElement().asString().contains("1 acquires of unknown outcome");
        }
    }

    @Test
    @Rule("CMP-5")
    @DisplayName("a caller that is cancelled while its request is under way gets Aborted, and the grant goes back")
    void cancelledInFlight() {
        MemoryLockBackend store = new MemoryLockBackend();
        AbortSignal signal = AbortSignal.create();
        LockBackend abortsMeanwhile = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal ignored) {
                AcquireOutcome outcome = super.acquire(request, ignored);
                signal.abort();
                return outcome;
            }
        };
        try (SyncGuard aborted = SyncGuard.of(abortsMeanwhile)) {
            assertAborted(() -> aborted.acquire("k", aborted.options(), signal));
        }
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
        assertThat(store.raiseFence(LockKey.of("k"), new Fence(0), AbortSignal.none()))
                .as("it had been granted")
                .isEqualTo(new Fence(1));
    }

    @Test
    @Rule("CMP-5")
    @DisplayName("a caller that is interrupted while its request is under way gets Aborted, with its flag kept")
    void interruptedInFlight() {
        MemoryLockBackend store = new MemoryLockBackend();
        LockBackend interrupts = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                AcquireOutcome outcome = super.acquire(request, signal);
                Thread.currentThread().interrupt();
                return outcome;
            }
        };
        try (SyncGuard interrupted = SyncGuard.of(interrupts)) {
            assertAborted(() -> interrupted.acquire("k"));
            assertThat(Thread.interrupted()).isTrue();
            assertAborted(() -> interrupted.tryAcquire("k"));
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }

    @Test
    @Rule("CMP-6")
    @DisplayName("neither the caller's signal nor its interrupt cancels the release")
    void releaseIsNotCancelled() {
        AbortSignal signal = AbortSignal.create();

        assertThat(guard.<Boolean, RuntimeException>call("k", guard.options(), signal, lease -> {
                    signal.abort();
                    Thread.currentThread().interrupt();
                    return true;
                }))
                .isTrue();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(simulator.stored("k")).isEmpty();
    }

    private static void assertAborted(Runnable call) {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(call::run)
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
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

    @Test
    @Rule("CMP-4")
    @DisplayName("closing on an interrupted thread finishes compensations all the same, and keeps the flag")
    void closingInterrupted() {
        MemoryLockBackend store = new MemoryLockBackend();
        AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(1));
        LockBackend slow = new BlockingBackend(store) {
            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(10);
            }

            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                super.acquire(request, signal);
                throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
            }

            @Override
            public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
                awaitUninterruptibly(gate.get());
                return super.release(lockId, signal);
            }
        };
        SyncGuard slowGuard = SyncGuard.of(slow);
        assertThatThrownBy(() -> slowGuard.acquire("k")).isInstanceOf(LockException.class);
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            Thread.currentThread().interrupt();
            slowGuard.close();
            return Thread.interrupted();
        });
        assertThat(closing).isNotDone();

        gate.get().countDown();

        assertThat(closing).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }
}
