package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CancelledRequestTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-5")
    @DisplayName("a caller that is cancelled while its request is under way gets Aborted, and the grant goes back")
    void cancelledInFlight(Driver driver) {
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
            assertAborted(() -> Blocked.result(driver.acquire(aborted, "k", aborted.options(), signal)));
        }
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
        assertThat(store.raiseFence(LockKey.of("k"), new Fence(0), AbortSignal.none()))
                .as("it had been granted")
                .isEqualTo(new Fence(1));
    }

    // Only the caller of the blocking view has a thread of its own in the request.
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
            assertAborted(() -> {
                var unused = interrupted.tryAcquire("k");
            });
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-6")
    @DisplayName("the caller's signal does not cancel the release")
    void releaseIsNotAborted(Driver driver) {
        AbortSignal signal = AbortSignal.create();

        CompletableFuture<Boolean> call = driver.call(guard, "k", guard.options(), signal, lease -> {
            signal.abort();
            return true;
        });

        assertThat(call).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);

        assertThat(simulator.stored("k")).isEmpty();
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
}
