package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of an acquire that arrive at the store long after the acquire ended. */
class LateCopiesTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions HOUR = LockOptions.defaults().ttl(Duration.ofHours(1));
    private static final LockOptions STUBBORN =
            HOUR.waitAtMost(Duration.ofMinutes(1)).retryStoreErrors();

    private final LogCapture log = LogCapture.start();
    private final MemoryLockBackend memory = new MemoryLockBackend();
    private final List<AcquireRequest> stuck = new CopyOnWriteArrayList<>();
    private final AtomicInteger stuckAcquires = new AtomicInteger();
    private final AtomicInteger lostAcquires = new AtomicInteger();
    private final AtomicInteger failingReleases = new AtomicInteger();
    private final AtomicInteger lostReleases = new AtomicInteger();
    private volatile boolean closed;
    private final SyncGuard guard = SyncGuard.of(new BlockingBackend(memory) {
        @Override
        public void close() {
            closed = true;
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            if (stuckAcquires.getAndDecrement() > 0) {
                stuck.add(request);
                throw new LockException(Code.NETWORK_TIMEOUT, "stuck", null, true);
            }
            AcquireOutcome outcome = super.acquire(request, signal);
            if (lostAcquires.getAndDecrement() > 0) {
                throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
            }
            return outcome;
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            if (closed || failingReleases.getAndDecrement() > 0) {
                throw new LockException(Code.SERVICE_UNAVAILABLE, "down");
            }
            ReleaseOutcome outcome = super.release(request, signal);
            if (lostReleases.getAndDecrement() > 0) {
                throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
            }
            return outcome;
        }
    });

    @AfterEach
    void end() {
        guard.close();
        log.close();
    }

    private boolean isLocked(String key) {
        return memory.isLocked(LockKey.of(key), AbortSignal.none());
    }

    private void arrive(int copy) {
        memory.acquire(stuck.get(copy), AbortSignal.none());
    }

    private void acquireInVain(Driver driver, String key, LockOptions options) {
        assertThat(driver.acquire(guard, key, options))
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseInstanceOf(LockException.class);
    }

    private Lease acquire(Driver driver, String key, LockOptions options) {
        return Blocked.result(driver.acquire(guard, key, options));
    }

    private static void close(Driver driver, Lease lease) {
        assertThat(driver.close(lease)).succeedsWithin(SOON);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-8")
    @DisplayName("m1: every copy of an acquire that arrives late is taken back, not only the first")
    void twoCopies(Driver driver) {
        stuckAcquires.set(2);
        acquireInVain(driver, "k", STUBBORN.maxRetries(1));
        assertThat(stuck).hasSize(2);

        for (int copy = 0; copy < 2; copy++) {
            arrive(copy);
            await().until(() -> !isLocked("k"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-8")
    @DisplayName("m1: a copy that arrives after a failed release that was repeated is taken back")
    void afterFailedRelease(Driver driver) {
        stuckAcquires.set(1);
        Lease lease = acquire(driver, "k", STUBBORN);
        failingReleases.set(3);
        close(driver, lease);
        await().until(() -> !isLocked("k"));

        arrive(0);

        await().until(() -> !isLocked("k"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-8")
    @DisplayName("m1: a copy that arrives after a release whose reply was lost is taken back")
    void afterLostRelease(Driver driver) {
        stuckAcquires.set(1);
        Lease lease = acquire(driver, "k", STUBBORN);
        lostReleases.set(1);
        close(driver, lease);
        assertThat(isLocked("k")).isFalse();

        arrive(0);

        await().until(() -> !isLocked("k"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-8")
    @DisplayName("m1: a copy that arrives after a lock was kept for its minimum is taken back")
    void afterMinimum(Driver driver) {
        stuckAcquires.set(1);
        Lease lease = acquire(driver, "k", STUBBORN.holdAtLeast(Duration.ofMillis(300)));
        close(driver, lease);
        await().until(() -> !isLocked("k"));

        arrive(0);

        await().until(() -> !isLocked("k"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("C2: a guard that closes takes back what a waiter that sleeps between attempts may have been granted")
    void closeBesideSleeper(Driver driver) {
        lostAcquires.set(1);
        LockOptions slow = STUBBORN.retryDelay(Duration.ofSeconds(20)).maxRetryDelay(Duration.ofSeconds(20));
        CompletableFuture<Lease> waiter = driver.acquire(guard, "k", slow);
        await().pollDelay(Duration.ofMillis(100)).until(() -> isLocked("k")); // most likely it sleeps by now

        guard.close();

        assertThat(waiter).failsWithin(Duration.ofSeconds(20));
        assertThat(isLocked("k")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("C2: a guard that closes looks a last time for what may have arrived, and names what may still arrive")
    void lastLook(Driver driver) {
        stuckAcquires.set(2);
        acquireInVain(driver, "arrives", HOUR);
        acquireInVain(driver, "does-not", HOUR);
        await().until(() -> guard.pendingReleases() == 0);
        arrive(0);

        guard.close();

        assertThat(isLocked("arrives")).isFalse();
        await().until(() -> log.messages().stream()
                .anyMatch(line -> line.contains("might still arrive")
                        && line.contains(LockKey.of("does-not").hash())));
        assertThat(log.messages())
                .noneMatch(line -> line.contains(LockKey.of("arrives").hash()));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-7")
    @DisplayName("M4: acquires that most likely never arrived give way to a release that failed")
    void settledGiveWay(Driver driver) {
        stuckAcquires.set(10_000);
        for (int i = 0; i < 10_000; i++) {
            acquireInVain(driver, "k" + i, HOUR);
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> guard.pendingReleases() == 0);
        Lease lease = acquire(driver, "held", HOUR);
        failingReleases.set(3);

        close(driver, lease);

        await().until(() -> !isLocked("held"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-7")
    @DisplayName("M4: releases in the background are bounded in number; that there are more is said once")
    void bounded(Driver driver) {
        AtomicInteger notRepeated = new AtomicInteger();
        LockOptions counting = HOUR.onReleaseError(failure -> {
            if (String.valueOf(failure.getMessage()).contains("not repeated; the lock expires at its ttl")) {
                notRepeated.incrementAndGet();
            }
        });
        List<Lease> leases = IntStream.range(0, 10_005)
                .mapToObj(i -> guard.acquire("k" + i, counting))
                .toList();
        failingReleases.set(Integer.MAX_VALUE);

        leases.forEach(lease -> close(driver, lease));

        assertThat(guard.pendingReleases()).isEqualTo(10_000);
        await().untilAsserted(() -> assertThat(notRepeated).hasValue(5));
        await().untilAsserted(() -> assertThat(log.messages())
                .filteredOn(line -> line.contains("too many locks"))
                .hasSize(1));
        failingReleases.set(0);
        await().atMost(Duration.ofMinutes(1)).until(() -> guard.pendingReleases() == 0);
        assertThat(IntStream.range(0, 10_005).filter(i -> isLocked("k" + i))).hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("E3: shutdown does not answer that all is released while a release fails")
    void shutdownTellsTheTruth(Driver driver) {
        Lease lease = acquire(driver, "k", HOUR);
        failingReleases.set(Integer.MAX_VALUE);
        close(driver, lease);

        assertThat(guard.shutdown(Duration.ofSeconds(Long.MAX_VALUE))).isFalse();

        assertThat(isLocked("k")).isTrue();
        await().until(() -> log.messages().stream()
                .anyMatch(line -> line.contains(LockKey.of("k").hash())));
    }
}
