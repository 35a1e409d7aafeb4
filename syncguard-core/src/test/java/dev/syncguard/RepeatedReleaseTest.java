package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepeatedReleaseTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions HOUR = LockOptions.defaults().ttl(Duration.ofHours(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
    }

    private static void assertReleaseFails(Driver driver, Lease lease) {
        assertThat(driver.release(lease))
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseInstanceOf(LockException.class);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: a failed release is repeated in the background, and its exception says so")
    void repeated(Driver driver) {
        Lease lease = guard.acquire("k", HOUR);
        simulator.outage(Duration.ofSeconds(10));

        assertThat(driver.release(lease))
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseInstanceOf(LockException.class)
                .withMessageContaining("repeated in the background");
        assertThat(simulator.stored("k")).isPresent();
        assertThat(guard.pendingReleases()).isEqualTo(1);
        simulator.advance(Duration.ofSeconds(30));

        assertThat(simulator.stored("k")).isEmpty();
        assertThat(guard.pendingReleases()).isZero();
        assertThat(lease.wasLost()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: closing a lease during an outage frees the key soon after it")
    void closed(Driver driver) {
        Lease lease = guard.acquire("k", HOUR);
        simulator.outage(Duration.ofSeconds(10));

        assertThat(driver.close(lease)).succeedsWithin(SOON);
        simulator.advance(Duration.ofSeconds(30));

        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: a waiter of this process gets the key once the repeated release has got through")
    void wakesWaiters(Driver driver) {
        Lease lease = guard.acquire("k", HOUR);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        LockOptions slow = HOUR.waitAtMost(Duration.ofHours(2)).retryDelay(Duration.ofMinutes(30));
        CompletableFuture<Lease> next = driver.acquire(guard, "k", slow);
        await().until(() -> guard.waiters() == 1);

        assertReleaseFails(driver, lease);
        simulator.advance(Duration.ofSeconds(1));

        assertThat(next).succeedsWithin(SOON);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: releasing again by hand after the background has done it is no loss")
    void againByHand(Driver driver) {
        Lease lease = guard.acquire("k", HOUR.onLost(losses::add));
        simulator.outage(Duration.ofSeconds(1));
        assertThat(driver.release(lease)).failsWithin(SOON);
        simulator.advance(Duration.ofSeconds(10));
        assertThat(simulator.stored("k")).isEmpty();

        assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(false);

        assertThat(lease.wasLost()).isFalse();
        assertThat(losses).isEmpty();
        assertThat(log.messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: it is repeated until the store's lock has expired, also if the holder believed a shorter time")
    void untilTheStoreForgets(Driver driver) {
        Lease lease = guard.acquire("k", HOUR);
        simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);
        assertThat(driver.extend(lease, Duration.ofSeconds(1))).failsWithin(SOON);
        simulator.outage(Duration.ofMinutes(5));

        assertReleaseFails(driver, lease);
        simulator.advance(Duration.ofMinutes(6));

        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: it is repeated as long as an extension of unknown outcome may have made the lock last")
    void untilTheLongestTime(Driver driver) {
        Lease lease = guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(2)));
        simulator.dropReply(Operation.EXTEND);
        assertThat(driver.extend(lease, Duration.ofHours(1))).failsWithin(SOON);
        simulator.outage(Duration.ofMinutes(5));

        assertReleaseFails(driver, lease);
        simulator.advance(Duration.ofMinutes(6));

        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-5")
    @DisplayName("M7: a repetition ends once the lock must have expired by itself")
    void endsWithTheLock(Driver driver) {
        Lease lease = guard.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(10)));
        simulator.outage(Duration.ofHours(1));

        assertReleaseFails(driver, lease);
        simulator.advance(Duration.ofMinutes(1));

        assertThat(guard.pendingReleases()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-7")
    @DisplayName("M4: it is repeated at once, then after pauses that double, and every 30 s at last")
    void backsOff(Driver driver) {
        Lease lease = guard.acquire("k", HOUR);
        for (int attempt = 0; attempt < 7; attempt++) {
            simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        }

        assertReleaseFails(driver, lease);
        simulator.advance(Duration.ofMillis(50 + 100 + 200 + 400 + 800 + 1600 - 1));
        assertThat(simulator.stored("k")).isPresent();
        simulator.advance(Duration.ofMillis(1));
        assertThat(simulator.stored("k")).isEmpty();

        Lease next = guard.acquire("k", HOUR);
        simulator.outage(Duration.ofMinutes(30));
        assertReleaseFails(driver, next);
        simulator.advance(Duration.ofMinutes(30));
        assertThat(simulator.stored("k")).isPresent();
        simulator.advance(Duration.ofSeconds(30));
        assertThat(simulator.stored("k")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-8")
    @DisplayName("m1: the late copy of an ambiguous attempt that locks again after the release is released, too")
    void lateCopy(Driver driver) {
        MemoryLockBackend store = new MemoryLockBackend();
        AtomicReference<AcquireRequest> first = new AtomicReference<>();
        AtomicInteger releases = new AtomicInteger();
        LockBackend duplicating = new BlockingBackend(store) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                if (first.compareAndSet(null, request)) {
                    throw new LockException(Code.NETWORK_TIMEOUT, "still on its way", null, true);
                }
                return super.acquire(request, signal);
            }

            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                ReleaseOutcome outcome = super.release(request, signal);
                if (releases.incrementAndGet() == 1) {
                    super.acquire(first.get(), signal);
                }
                return outcome;
            }
        };
        try (SyncGuard real = SyncGuard.of(duplicating)) {
            Lease lease = driver.acquire(real, "k", HOUR.retryStoreErrors()).join();

            assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(true);

            await().until(() -> !store.isLocked(LockKey.of("k"), AbortSignal.none()));
            assertThat(releases).hasValue(2);
            assertThat(lease.wasLost()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-8")
    @DisplayName("m1: an acquire without an ambiguous attempt is released once")
    void onlyIfAmbiguous(Driver driver) {
        AtomicInteger releases = new AtomicInteger();
        LockBackend counting = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                releases.incrementAndGet();
                return super.release(request, signal);
            }
        };
        try (SyncGuard real = SyncGuard.of(counting)) {
            Lease lease = Blocked.result(driver.acquire(real, "k", real.options()));
            assertThat(driver.release(lease)).succeedsWithin(SOON).isEqualTo(true);
            assertThat(real.pendingReleases()).isZero();
        }
        assertThat(releases).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("m10: a timeout after contention does not name an older failure of the store as its cause")
    void staleFailure(Driver driver) {
        SyncGuard other = simulator.newGuard();
        Lease held = other.acquire("k", HOUR);
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);

        LockOptions options = HOUR.retryStoreErrors().waitAtMost(Duration.ofSeconds(3));
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", options)))
                .withNoCause();
        assertThat(held.isValid()).isTrue();
    }
}
