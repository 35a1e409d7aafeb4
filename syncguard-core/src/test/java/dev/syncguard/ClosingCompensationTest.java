package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClosingCompensationTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("closing the guard finishes pending compensations")
    void closing(Driver driver) {
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
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                CompensationTest.awaitUninterruptibly(mayRelease);
                return super.release(request, signal);
            }
        };
        SyncGuard slowGuard = SyncGuard.of(slow);
        assertThatThrownBy(() -> Blocked.result(driver.acquire(slowGuard, "k", slowGuard.options())))
                .isInstanceOf(LockException.class);
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            slowGuard.close();
            return true;
        });
        assertThat(closing).isNotDone();

        mayRelease.countDown();

        assertThat(closing).succeedsWithin(Duration.ofSeconds(20));
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("closing the guard does not wait for a store that never answers")
    void closingIsBounded(Driver driver) {
        simulator.dropReply(Operation.ACQUIRE);
        for (int i = 0; i < 100; i++) {
            simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        }
        assertThatThrownBy(() -> Blocked.result(driver.acquire(guard, "k", guard.options())))
                .isInstanceOf(LockException.class);

        try (LogCapture log = LogCapture.start()) {
            assertThat(Blocked.start(() -> {
                        guard.close();
                        return true;
                    }))
                    .succeedsWithin(Duration.ofSeconds(20));
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .matches("closed before a lock of key [0-9a-f]{24} could be released; it expires within \\d+ ms");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("closing on an interrupted thread finishes compensations all the same, and keeps the flag")
    void closingInterrupted(Driver driver) {
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
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                CompensationTest.awaitUninterruptibly(gate.get());
                return super.release(request, signal);
            }
        };
        SyncGuard slowGuard = SyncGuard.of(slow);
        assertThatThrownBy(() -> Blocked.result(driver.acquire(slowGuard, "k", slowGuard.options())))
                .isInstanceOf(LockException.class);
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

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("closing the guard hurries a release that backs off, although a body goes on beyond the bound")
    void hurriesBesideABody(Driver driver) {
        MemoryLockBackend store = new MemoryLockBackend();
        AtomicInteger failed = new AtomicInteger();
        SyncGuard failing = SyncGuard.of(new BlockingBackend(store) {
            @Override
            public Duration commandTimeout() {
                return Duration.ofSeconds(1);
            }

            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                if (failed.get() < 8) { // the first of the holder, the last one 3 s before the next
                    failed.incrementAndGet();
                    throw new LockException(Code.SERVICE_UNAVAILABLE, "down");
                }
                return super.release(request, signal);
            }
        });
        assertThat(driver.release(failing.acquire("k"))).failsWithin(Duration.ofSeconds(20));
        await().until(() -> failed.get() == 8);
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<Boolean> body = driver.call(failing, "body", failing.options(), AbortSignal.none(), lease -> {
            runs.countDown();
            CompensationTest.awaitUninterruptibly(mayEnd);
            return true;
        });
        CompensationTest.awaitUninterruptibly(runs);

        failing.close();

        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
        mayEnd.countDown();
        assertThat(body).succeedsWithin(Duration.ofSeconds(20));
    }
}
