package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueuePaceTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions LAZY = LockOptions.defaults()
            .waitAtMost(Duration.ofHours(10))
            .retryDelay(Duration.ofHours(1))
            .maxRetryDelay(Duration.ofHours(1));
    private static final LockOptions EAGER = LockOptions.defaults()
            .waitAtMost(Duration.ofHours(10))
            .retryDelay(Duration.ofMillis(20))
            .backoff(Backoff.FIXED);

    private final MemoryLockBackend store = new MemoryLockBackend();
    private final CountingBackend counting = new CountingBackend(store);

    /** A store without release notifications, so that pace matters. */
    private static final class CountingBackend extends BlockingBackend {
        private final AtomicInteger acquires = new AtomicInteger();
        private final AtomicInteger underWay = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private volatile long slownessNanos;

        CountingBackend(MemoryLockBackend store) {
            super(store);
        }

        @Override
        public Duration commandTimeout() {
            return Duration.ofSeconds(5); // so long a waiter may wait for its turn to ask, also on a loaded machine
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            acquires.incrementAndGet();
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            try {
                if (slownessNanos > 0) {
                    LockSupport.parkNanos(slownessNanos);
                }
                return super.acquire(request, signal);
            } finally {
                underWay.decrementAndGet();
            }
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-12")
    @DisplayName("M6: a line with a lazy first and an eager follower asks at the pace of the eager one")
    void eagerFollower(Driver driver) {
        SyncGuard other = SyncGuard.of(store);
        Lease held = other.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));
        try (SyncGuard guard = SyncGuard.of(counting)) {
            CompletableFuture<Lease> lazy = driver.acquire(guard, "k", LAZY);
            await().until(() -> counting.acquires.get() == 1);
            CompletableFuture<Lease> eager = driver.acquire(guard, "k", EAGER);
            await().until(() -> counting.acquires.get() > 5);

            held.close();

            assertThat(lazy).as("the first in line gets it").succeedsWithin(SOON);
            lazy.join().close();
            assertThat(eager).succeedsWithin(SOON);
            eager.join().close();
        }
        assertThat(counting.most).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-13")
    @DisplayName("M6: a follower that gives up has asked the store itself")
    void ownAttempt(Driver driver) {
        SyncGuard other = SyncGuard.of(store);
        Lease held = other.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));
        try (SyncGuard guard = SyncGuard.of(counting)) {
            CompletableFuture<Lease> lazy = driver.acquire(guard, "k", LAZY);
            await().until(() -> counting.acquires.get() == 1);

            CompletableFuture<Lease> follower = driver.acquire(guard, "k", LAZY.waitAtMost(Duration.ofMillis(100)));

            assertThat(timeoutOf(follower).attempts()).isEqualTo(1);
            held.close();
            CompletableFuture<Lease> lucky = driver.acquire(guard, "k", LAZY.waitAtMost(Duration.ofMillis(100)));
            assertThat(lucky).as("the key is free, and it asks itself").succeedsWithin(SOON);
            lucky.join().close();
            assertThat(lazy).succeedsWithin(SOON);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-12")
    @DisplayName("M6: maxRetries counts the polls that were made while a follower waited")
    void maxRetriesOfFollowers(Driver driver) {
        SyncGuard other = SyncGuard.of(store);
        Lease held = other.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));
        try (SyncGuard guard = SyncGuard.of(counting)) {
            CompletableFuture<Lease> first = driver.acquire(guard, "k", EAGER);
            await().until(() -> counting.acquires.get() >= 1);

            CompletableFuture<Lease> follower = driver.acquire(guard, "k", EAGER.maxRetries(3));

            assertThat(timeoutOf(follower).elapsed()).isLessThan(Duration.ofSeconds(20));
            assertThat(first).isNotDone();
        }
        assertThat(held.isValid()).isTrue();
        assertThat(counting.most).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-13")
    @DisplayName("M6: followers that run out of time together have all asked, one at a time")
    void allAsk(Driver driver) {
        SyncGuard other = SyncGuard.of(store);
        Lease held = other.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));
        counting.slownessNanos = 300_000;
        try (SyncGuard guard = SyncGuard.of(counting)) {
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                waiters.add(driver.acquire(
                        guard, "k", EAGER.waitAtMost(Duration.ofSeconds(1).plusMillis(i % 3))));
            }

            assertThat(waiters)
                    .allSatisfy(
                            waiter -> assertThat(timeoutOf(waiter).attempts()).isPositive());
        }
        assertThat(held.isValid()).isTrue();
        assertThat(counting.most).hasValue(1);
    }

    @Test
    @Rule("WAI-12")
    @DisplayName("M6: simulated, the line polls as often as its most eager member would alone")
    void simulatedPace() {
        LockSimulator simulator = new LockSimulator();
        SyncGuard here = simulator.newGuard();
        Lease held = simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(9)));
        LockOptions lazy = LAZY.jitter(Jitter.NONE);
        LockOptions limited =
                EAGER.jitter(Jitter.NONE).retryDelay(Duration.ofSeconds(1)).maxRetries(5);
        CompletableFuture<Lease> first = Driver.ASYNCHRONOUS.acquire(here, "k", lazy);
        CompletableFuture<Lease> follower = Driver.ASYNCHRONOUS.acquire(here, "k", limited);

        simulator.advance(Duration.ofMillis(4_900));
        assertThat(follower).isNotDone();
        simulator.advance(Duration.ofMillis(1_200));

        assertThat(timeoutOf(follower).elapsed()).isBetween(Duration.ofMillis(4_900), Duration.ofMillis(6_100));
        assertThat(first).isNotDone();
        assertThat(held.isValid()).isTrue();
    }

    @Test
    @Rule("WAI-13")
    @DisplayName("M6: a waiter that leaves while it waits for its turn does not swallow the turn of the next one")
    void leftWhileItWaitedForItsTurn() {
        LockSimulator simulator = new LockSimulator();
        SyncGuard here = simulator.newGuard();
        simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(9)));
        LockOptions paced = EAGER.jitter(Jitter.NONE).retryDelay(Duration.ofMillis(500));
        CompletableFuture<Lease> first = Driver.ASYNCHRONOUS.acquire(here, "k", paced);
        simulator.delayReply(Operation.ACQUIRE, Duration.ofSeconds(1));
        CompletableFuture<Lease> asks = acquireWithin(here, Duration.ofMillis(100));
        CompletableFuture<Lease> leaves = acquireWithin(here, Duration.ofMillis(200));
        simulator.advance(Duration.ofSeconds(1));
        assertThat(leaves).as("its turn did not come").isCompletedExceptionally();
        assertThat(asks)
                .as("its request is under way, and the first waits for its turn")
                .isNotDone();
        simulator.advance(Duration.ofMillis(200));
        assertThat(asks).isCompletedExceptionally();

        simulator.loseLock("k");
        simulator.advance(Duration.ofSeconds(2));

        assertThat(first).isCompleted();
    }

    private static CompletableFuture<Lease> acquireWithin(SyncGuard guard, Duration limit) {
        return Driver.ASYNCHRONOUS.acquire(guard, "k", LAZY.waitAtMost(limit));
    }

    private static AcquisitionTimeoutException timeoutOf(CompletableFuture<?> waiter) {
        assertThat(waiter).failsWithin(SOON);
        try {
            waiter.join();
        } catch (CompletionException e) {
            return (AcquisitionTimeoutException) e.getCause();
        }
        throw new AssertionError("no timeout");
    }
}
