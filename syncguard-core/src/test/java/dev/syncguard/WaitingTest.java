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
import dev.syncguard.spi.ConflictException;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long an acquire waits, and through what. */
class WaitingTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();

    @AfterEach
    void end() {
        guard.close();
        other.close();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-1")
    @DisplayName("the timeout ends the wait, with attempts and elapsed time")
    void timeout(Driver driver) {
        other.acquire("k");

        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", guard.options())))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.ACQUISITION_TIMEOUT);
                    assertThat(e.elapsed()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
                    assertThat(e.attempts()).isBetween(5, 11);
                    assertThat(e.key()).contains("k");
                });
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-1")
    @DisplayName("maxRetries ends it as well, and zero means one attempt at once")
    void retries(Driver driver) {
        other.acquire("k");
        LockOptions threePolls = LockOptions.defaults().maxRetries(3).jitter(Jitter.NONE);

        // One attempt, one when the subscription stands, and three polls after 100, 200 and 400 ms.
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", threePolls)))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(5));
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.result(
                        driver.acquire(guard, "k", LockOptions.defaults().maxRetries(0))))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(1));
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.result(
                        driver.acquire(guard, "k", LockOptions.defaults().waitAtMost(Duration.ZERO))))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-1")
    @DisplayName("the shortest timeout still makes one attempt")
    void shortest(Driver driver) {
        assertThat(Blocked.result(driver.acquire(
                                guard, "k", LockOptions.defaults().waitAtMost(Duration.ofNanos(1))))
                        .isValid())
                .isTrue();
    }

    @Test
    @Rule("WAI-1")
    @DisplayName("the stage of the shortest timeout is complete when the store answers at once")
    void shortestStage() {
        assertThat(guard.async()
                        .acquire("l", LockOptions.defaults().waitAtMost(Duration.ofNanos(1)))
                        .toCompletableFuture())
                .isCompleted();
    }

    @Test
    @Rule("WAI-2")
    @DisplayName("polls come after delays that double up to the cap, or stay the same")
    void delays() {
        RetryPolicy exponential = LockOptions.defaults().jitter(Jitter.NONE).retryPolicy();
        assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 100))
                .extracting(poll -> TimeUnit.NANOSECONDS.toMillis(exponential.delayNanos(poll, 0.5)))
                .containsExactly(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L, 2000L);

        RetryPolicy fixed = LockOptions.defaults()
                .backoff(Backoff.FIXED)
                .jitter(Jitter.NONE)
                .retryPolicy();
        assertThat(fixed.delayNanos(7, 0.5)).isEqualTo(100_000_000);

        RetryPolicy equal = LockOptions.defaults().retryPolicy();
        assertThat(equal.delayNanos(0, 0.0)).isEqualTo(50_000_000);
        assertThat(equal.delayNanos(0, 0.5)).isEqualTo(75_000_000);

        RetryPolicy full = LockOptions.defaults().jitter(Jitter.FULL).retryPolicy();
        assertThat(full.delayNanos(0, 0.25)).isEqualTo(25_000_000);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-4")
    @DisplayName("waiting a minute is not cut short by ten retries")
    void aMinute(Driver driver) {
        Lease held = other.acquire("k", LockOptions.defaults().ttl(Duration.ofMinutes(10)));
        CompletableFuture<Lease> waiter = driver.acquire(guard, "k", PATIENT);
        await().until(() -> simulator.stored("k").isPresent());
        for (int i = 0; i < 40; i++) {
            simulator.advance(Duration.ofSeconds(1));
        }

        assertThat(waiter).isNotDone();
        held.release();
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-5")
    @DisplayName("a failure of the store is thrown at once")
    void storeError(Driver driver) {
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> Blocked.result(driver.acquire(guard, "k", PATIENT)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-5")
    @DisplayName("retryStoreErrors waits through transient failures, but not through others")
    void retryStoreErrors(Driver driver) {
        for (Code code : List.of(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT, Code.RATE_LIMITED)) {
            simulator.failNext(Operation.ACQUIRE, code);
        }
        LockOptions options = PATIENT.retryStoreErrors();

        assertThat(Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", options))
                        .isValid())
                .isTrue();

        simulator.failNext(Operation.ACQUIRE, Code.AUTH_FAILED);
        assertThatThrownBy(() -> Blocked.result(driver.acquire(guard, "l", options)))
                .isInstanceOf(LockException.class);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-5")
    @DisplayName("a timeout after failures of the store names the last one as its cause")
    void timeoutAfterFailures(Driver driver) {
        for (int i = 0; i < 100; i++) {
            simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        }

        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(
                        simulator,
                        driver.acquire(guard, "k", LockOptions.defaults().retryStoreErrors())))
                .withCauseInstanceOf(LockException.class);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-5")
    @DisplayName(
            "a conflict in the store is contention: a waiting acquire goes on, a single attempt fails as unavailable")
    void conflict(Driver driver) {
        AtomicInteger conflicts = new AtomicInteger(3);
        LockBackend clashing = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                if (conflicts.getAndDecrement() > 0) {
                    throw new ConflictException("somebody was in the way", null);
                }
                return super.acquire(request, signal);
            }
        };
        try (SyncGuard crowded = SyncGuard.of(clashing)) {
            assertThatExceptionOfType(ConflictException.class)
                    .isThrownBy(() -> Blocked.result(driver.tryAcquire(crowded, "k", crowded.options())))
                    .satisfies(e -> {
                        assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                        assertThat(e.outcomeUnknown()).isFalse();
                        assertThat(e.key()).contains("k");
                        assertThat(e).hasMessageStartingWith("ServiceUnavailable: somebody was in the way [key ");
                    });

            assertThat(Blocked.result(driver.acquire(crowded, "k", PATIENT)).isValid())
                    .isTrue();
        }
    }
}
