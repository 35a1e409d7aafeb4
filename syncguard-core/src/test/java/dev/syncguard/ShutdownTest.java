package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShutdownTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofMinutes(5));

    private final GatedBackend store = new GatedBackend(Duration.ofSeconds(10));
    private final SyncGuard guard = SyncGuard.of(store);
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        guard.close();
        log.close();
    }

    private CompletableFuture<Boolean> close() {
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            guard.close();
            return true;
        });
        await("the guard takes no new locks").until(() -> isRefused(guard));
        return closing;
    }

    /** Asks with a signal that has fired: nothing is sent. */
    static boolean isRefused(SyncGuard guard) {
        AbortSignal aborted = AbortSignal.create();
        aborted.abort();
        try {
            var unused = guard.tryAcquire("refused?", LONG, aborted);
            return false;
        } catch (LockException e) {
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName(
            "C2: a lock that is granted while the guard closes is released, and its caller hears that it is closed")
    void grantedMeanwhile(Driver driver) {
        store.acquires.shut();
        CompletableFuture<Lease> acquiring = driver.acquire(guard, "k", LONG);
        await().until(() -> store.acquires.waiting() == 1);
        CompletableFuture<Boolean> closing = close();
        assertThat(closing).as("awaits the request under way").isNotDone();

        store.acquires.open();

        assertThat(acquiring).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        assertThat(closing).succeedsWithin(SOON);
        assertThat(store.isLocked("k")).isFalse();
        assertThat(log.messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C2: waiters hear at once that the guard closes, also those whose next poll is far away")
    void sleepersHear(Driver driver) {
        CountDownLatch asked = new CountDownLatch(2);
        SyncGuard sleepy = SyncGuard.of(new GatedBackend(Duration.ofSeconds(10)) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                asked.countDown();
                return super.acquire(request, signal);
            }
        });
        Lease held = sleepy.acquire("k", LONG);
        LockOptions patient = LONG.waitAtMost(Duration.ofHours(1))
                .retryDelay(Duration.ofMinutes(30))
                .maxRetryDelay(Duration.ofMinutes(30));
        CompletableFuture<Lease> first = driver.acquire(sleepy, "k", patient);
        CompensationTest.awaitUninterruptibly(asked);
        CompletableFuture<Lease> follower = driver.acquire(sleepy, "k", patient);

        sleepy.close();

        assertThat(first).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        assertThat(follower).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        assertThat(held.isValid()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("C2: a release that is under way while the guard closes is awaited")
    void releasedMeanwhile(Driver driver) {
        Lease lease = guard.acquire("k", LONG);
        store.releases.shut();
        CompletableFuture<Boolean> releasing = driver.release(lease);
        await().until(() -> store.releases.waiting() == 1);
        CompletableFuture<Boolean> closing = close();
        assertThat(closing).isNotDone();

        store.releases.open();

        assertThat(releasing).succeedsWithin(SOON).isEqualTo(true);
        assertThat(closing).succeedsWithin(SOON);
        assertThat(log.messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C2: a body that ends while the guard closes releases its lock")
    void bodyEndsMeanwhile(Driver driver) {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<Boolean> running = driver.call(guard, "k", LONG, AbortSignal.none(), lease -> {
            inside.countDown();
            CompensationTest.awaitUninterruptibly(mayEnd);
            return true;
        });
        CompensationTest.awaitUninterruptibly(inside);
        CompletableFuture<Boolean> closing = close();

        mayEnd.countDown();

        assertThat(running).succeedsWithin(SOON).isEqualTo(true);
        assertThat(closing).succeedsWithin(SOON);
        assertThat(store.isLocked("k")).isFalse();
        assertThat(log.messages()).isEmpty();
    }

    @Test
    @DisplayName("C2: a body of the asynchronous call that ends while the guard closes releases its lock")
    void asyncBodyEndsMeanwhile() {
        CompletableFuture<Boolean> body = new CompletableFuture<>();
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Boolean> running = guard.async()
                .call("k", LONG, lease -> {
                    inside.countDown();
                    return body;
                })
                .toCompletableFuture();
        CompensationTest.awaitUninterruptibly(inside);
        CompletableFuture<Boolean> closing = close();

        body.complete(true);

        assertThat(running).succeedsWithin(SOON).isEqualTo(true);
        assertThat(closing).succeedsWithin(SOON);
        assertThat(store.isLocked("k")).isFalse();
        assertThat(log.messages()).isEmpty();
    }

    @Test
    @Rule("CMP-4")
    @DisplayName("C2: closing is bounded, and a lock that cannot be released any more is logged by its hash")
    void bounded() {
        GatedBackend slow = new GatedBackend();
        SyncGuard bounded = SyncGuard.of(slow);
        Lease held = bounded.acquire("held", LONG);
        slow.acquires.shut();
        CompletableFuture<Lease> late = Driver.BLOCKING.acquire(bounded, "late", LONG);
        await().until(() -> slow.acquires.waiting() == 1);
        CompletableFuture<AcquireResult> single = Driver.ASYNCHRONOUS.tryAcquire(bounded, "single", LONG);
        await().until(() -> slow.acquires.waiting() == 2);

        assertThat(Blocked.start(() -> {
                    bounded.close();
                    return true;
                }))
                .succeedsWithin(SOON);
        slow.acquires.open();

        assertThat(late).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        assertThat(single).failsWithin(SOON);
        await().untilAsserted(() -> assertThat(log.messages())
                .anyMatch(line -> line.contains("requests were under way")
                        && line.contains(LockKey.of("late").hash())
                        && line.contains(LockKey.of("single").hash()))
                .anyMatch(line -> line.contains(held.keyHash()) && line.contains("expires within"))
                .anyMatch(line -> line.contains(LockKey.of("late").hash()) && line.contains("closed")));
        assertThat(log.messages()).noneMatch(line -> line.contains("unclassified"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CMP-4")
    @DisplayName("C2: an acquire that fails with an unknown outcome after the guard was closed is logged by its hash")
    void unknownAfterClose(Driver driver) {
        GatedBackend slow = new GatedBackend() {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                super.acquire(request, signal);
                throw new LockException(LockException.Code.NETWORK_TIMEOUT, "reply lost", null, true);
            }
        };
        SyncGuard closing = SyncGuard.of(slow);
        slow.acquires.shut();
        CompletableFuture<AcquireResult> single = driver.tryAcquire(closing, "single", LONG);
        await().until(() -> slow.acquires.waiting() == 1);
        closing.close();

        slow.acquires.open();

        assertThat(single).failsWithin(SOON);
        await().until(() -> log.messages().stream()
                .anyMatch(line -> line.contains(LockKey.of("single").hash()) && line.contains("expires within")));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("DSP-10")
    @DisplayName("shutdown waits for the leases that are held, renews them meanwhile and takes no new ones")
    void waitsForBodies(Driver driver) {
        LockOptions renewed = LockOptions.defaults().ttl(Duration.ofSeconds(5)).autoExtend();
        Lease lease = guard.acquire("k", renewed);
        long granted = lease.expiresAtMs();
        CompletableFuture<Lease> waiting = driver.acquire(guard, "k", LONG.waitAtMost(Duration.ofHours(1)));
        CompletableFuture<Boolean> ending = Blocked.start(() -> guard.shutdown(Duration.ofMinutes(1)));

        assertThat(waiting).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        await().until(() -> lease.expiresAtMs() > granted + 1_000);
        assertThat(ending).isNotDone();
        assertThat(lease.isValid()).isTrue();
        assertThat(driver.close(lease)).succeedsWithin(SOON);

        assertThat(ending).succeedsWithin(SOON).isEqualTo(true);
        assertThat(store.isLocked("k")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C2: a lease that is given up, but not yet sent back, while the guard shuts down is released")
    void givenUpMeanwhile(Driver driver) {
        CountDownLatch givenUp = new CountDownLatch(1);
        CountDownLatch mayRelease = new CountDownLatch(1);
        GatedBackend timed = new GatedBackend(Duration.ofSeconds(10));
        Timekeeper time = new SlowToCancel(() -> {
            givenUp.countDown();
            CompensationTest.awaitUninterruptibly(mayRelease);
        });
        SyncGuard ending = SyncGuard.builder(timed).time(time).build();
        Lease lease = ending.acquire("k", LONG.onLost(loss -> {}));
        CompletableFuture<Boolean> releasing =
                Blocked.start(() -> driver.release(lease).join());
        CompensationTest.awaitUninterruptibly(givenUp);
        CompletableFuture<Boolean> ended = Blocked.start(() -> ending.shutdown(Duration.ofMinutes(1)));
        await().until(() -> isRefused(ending));

        mayRelease.countDown();

        assertThat(releasing).succeedsWithin(SOON).isEqualTo(true);
        assertThat(ended).succeedsWithin(SOON).isEqualTo(true);
        assertThat(timed.isLocked("k")).isFalse();
    }

    @Test
    @Rule("DSP-10")
    @DisplayName("shutdown says if a lease was not released in time, and logs it by its hash")
    void limited() {
        Lease lease = guard.acquire("k", LONG);

        assertThat(guard.shutdown(Duration.ofMillis(20))).isFalse();

        await().until(() -> log.messages().stream().anyMatch(line -> line.contains(lease.keyHash())));
        assertThat(guard.shutdown(Duration.ZERO)).as("a second time").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("C2: a second call of close waits for the first")
    void secondCloseWaitsForTheFirst(Driver driver) {
        store.acquires.shut();
        CompletableFuture<Lease> acquiring = driver.acquire(guard, "k", LONG);
        await().until(() -> store.acquires.waiting() == 1);
        CompletableFuture<Boolean> first = close();
        CompletableFuture<Boolean> second = close();
        assertThat(second).isNotDone();

        store.acquires.open();

        assertThat(first).succeedsWithin(SOON);
        assertThat(second).succeedsWithin(SOON);
        assertThat(acquiring).failsWithin(SOON);
    }

    @Test
    @DisplayName("C2: an acquire that had not reached the store when the guard closed does not reach it")
    void notSent() {
        CountDownLatch reached = new CountDownLatch(1);
        GatedBackend counting = new GatedBackend(Duration.ofSeconds(10)) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                if (request.key().equals(LockKey.of("queued"))) {
                    reached.countDown();
                }
                return super.acquire(request, signal);
            }
        };
        SyncGuard narrow = SyncGuard.builder(counting).threads(1).build();
        counting.acquires.shut();
        CompletableFuture<Lease> running = Driver.ASYNCHRONOUS.acquire(narrow, "running", LONG);
        await().until(() -> counting.acquires.waiting() == 1);
        CompletableFuture<Lease> queued = Driver.ASYNCHRONOUS.acquire(narrow, "queued", LONG);
        CompletableFuture<Boolean> closing = Blocked.start(() -> {
            narrow.close();
            return true;
        });

        assertThat(queued).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        counting.acquires.open();

        assertThat(running).failsWithin(SOON);
        assertThat(closing).succeedsWithin(SOON);
        assertThat(reached.getCount()).isEqualTo(1);
    }

    /** Holds up what cancels a timer, as a lease does that is given up. */
    private record SlowToCancel(Timekeeper time, Runnable holdUp) implements Timekeeper {

        SlowToCancel(Runnable holdUp) {
            this(new SystemTimekeeper(), holdUp);
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            Task scheduled = time.schedule(delayNanos, task);
            return () -> {
                scheduled.cancel();
                holdUp.run();
            };
        }

        @Override
        public void close() {
            time.close();
        }
    }
}
