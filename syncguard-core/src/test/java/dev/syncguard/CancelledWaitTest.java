package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CancelledWaitTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @AfterEach
    void end() {
        guard.close();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-9")
    @DisplayName("a signal ends the wait, and the next waiter takes over")
    void cancelledBySignal(Driver driver) {
        Lease held = guard.acquire("k");
        AbortSignal signal = AbortSignal.create();
        CompletableFuture<Lease> first = driver.acquire(guard, "k", PATIENT, signal);
        await().until(() -> signal.listeners() > 0);
        CompletableFuture<Lease> second = driver.acquire(guard, "k", PATIENT);

        signal.abort();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> Blocked.result(first))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
        held.release();

        assertThat(second).succeedsWithin(Duration.ofSeconds(20));
    }

    // Only a thread can be interrupted; AsyncViewTest cancels the stages.
    @Test
    @Rule("WAI-9")
    @DisplayName("a signal and an interrupt end the wait, and the next waiter takes over")
    void cancelled() throws Exception {
        Lease held = guard.acquire("k");
        AbortSignal signal = AbortSignal.create();
        CompletableFuture<Lease> first = Blocked.start(() -> guard.acquire("k", PATIENT, signal));
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<Boolean> second = Blocked.start(() -> {
            thread.set(Thread.currentThread());
            try {
                guard.acquire("k", PATIENT);
                return false;
            } catch (LockException e) {
                return e.code() == Code.ABORTED && Thread.interrupted();
            }
        });
        CompletableFuture<Lease> third = Blocked.start(() -> guard.acquire("k", PATIENT));
        await().until(() -> thread.get() != null && isParked(thread.get()));

        signal.abort();
        assertThat(first)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
        thread.get().interrupt();
        assertThat(second).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
        held.release();

        assertThat(third).succeedsWithin(Duration.ofSeconds(20));
    }

    /** The simulated time parks with a limit. */
    private static boolean isParked(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-9")
    @DisplayName("a listener of the signal that throws does not keep others from being cancelled")
    void throwingListener(Driver driver) {
        guard.acquire("k");
        AbortSignal signal = AbortSignal.create();
        signal.onAbort(() -> {
            throw new IllegalStateException("listener");
        });
        CompletableFuture<Lease> waiter = driver.acquire(guard, "k", PATIENT, signal);
        AtomicInteger later = new AtomicInteger();
        signal.onAbort(later::incrementAndGet);

        assertThatThrownBy(signal::abort).hasMessage("listener");

        assertThat(later).hasValue(1);
        assertThat(waiter).failsWithin(Duration.ofSeconds(20));
    }
}
