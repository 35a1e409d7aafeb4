package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Many waiters of one key. */
class WaitingCrowdTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));
    private static final LockOptions SLOW_POLLS =
            PATIENT.retryDelay(Duration.ofMinutes(1)).maxRetryDelay(Duration.ofMinutes(1));

    static Stream<Driver> twentyTimes() {
        return Collections.nCopies(20, Driver.values()).stream().flatMap(Arrays::stream);
    }

    @Test
    @Rule("WAI-6")
    @DisplayName("1,000 waiters on one key have one request in flight, and each gets the lock")
    void crowd() {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        LockBackend counting = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                requests.incrementAndGet();
                try {
                    return super.acquire(request, signal);
                } finally {
                    inFlight.decrementAndGet();
                }
            }
        };
        int[] unguarded = new int[1];
        try (SyncGuard real = SyncGuard.of(counting)) {
            LockOptions options = LockOptions.defaults().waitAtMost(Duration.ofMinutes(2));
            List<CompletableFuture<?>> waiters = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                waiters.add(Blocked.start(() -> real.call("k", options, lease -> unguarded[0]++)));
                waiters.add(real.async()
                        .call("k", options, lease -> CompletableFuture.completedStage(unguarded[0]++))
                        .toCompletableFuture());
            }
            assertThat(CompletableFuture.allOf(waiters.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofMinutes(2));
        }
        assertThat(unguarded[0]).isEqualTo(1000);
        assertThat(most).hasValue(1);
        assertThat(requests.get()).as("asks for 1,000 grants").isLessThan(2500);
    }

    @ParameterizedTest
    @MethodSource("twentyTimes")
    @DisplayName("a storm of waiters, some cancelled, leaves none behind")
    void storm(Driver driver) {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            int[] unguarded = new int[1];
            AtomicInteger granted = new AtomicInteger();
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                AbortSignal signal = AbortSignal.create();
                boolean abort = i % 3 == 0;
                calls.add(driver.call(real, "k", PATIENT, signal, lease -> {
                            granted.incrementAndGet();
                            return unguarded[0]++;
                        })
                        .exceptionally(e -> null));
                if (abort) {
                    signal.abort();
                }
            }
            assertThat(CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofSeconds(30));
            assertThat(unguarded[0]).isEqualTo(granted.get()).isGreaterThanOrEqualTo(40);
            assertThat(real.isLocked("k")).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("callers that come and go at random all get their turn, with neither signals nor polls to help")
    void comingAndGoing(Driver driver) {
        // Without blocked threads each turn passes through several pools.
        int times = driver == Driver.BLOCKING ? 20_000 : 4_000;
        int[] unguarded = new int[1];
        try (SyncGuard real = SyncGuard.of(new BlockingBackend(new MemoryLockBackend()))) {
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(driver.repeat(times, real, "k", SLOW_POLLS, () -> unguarded[0]++));
            }
            assertThat(callers).allSatisfy(caller -> assertThat(caller).succeedsWithin(Duration.ofSeconds(50)));
        }
        assertThat(unguarded[0]).isEqualTo(4 * times);
    }
}
