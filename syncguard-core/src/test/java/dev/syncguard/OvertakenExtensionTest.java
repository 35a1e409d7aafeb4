package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OvertakenExtensionTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    @DisplayName("C1: an extension that gave up waiting for its turn does not let the next one pass the one under way")
    void givenUpTurn() {
        AtomicInteger sent = new AtomicInteger();
        GatedBackend store = new GatedBackend(Duration.ofMillis(50)) {
            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                sent.incrementAndGet();
                return super.extend(request, signal);
            }
        };
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k");
            store.extensions.shut();
            CompletableFuture<ExtendResult> underWay = Driver.BLOCKING.extend(lease, Duration.ofSeconds(3));
            await().until(() -> store.extensions.waiting() == 1);

            assertThat(Driver.BLOCKING.extend(lease, Duration.ofSeconds(20))).failsWithin(SOON);
            assertThat(Driver.BLOCKING.extendAtLeast(lease, Duration.ofSeconds(30)))
                    .failsWithin(SOON);

            assertThat(sent).as("requests at once").hasValue(1);
            assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(3));
            store.extensions.open();
            assertThat(underWay).succeedsWithin(SOON);
            assertThat(Driver.BLOCKING.extendAtLeast(lease, Duration.ofSeconds(30)))
                    .succeedsWithin(SOON)
                    .matches(ExtendResult::ok);
        }
    }

    @Test
    @DisplayName("an extension that is cancelled while it waits for its turn is not sent")
    void cancelledInTheQueue() {
        GatedBackend store = new GatedBackend(SOON);
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k");
            store.extensions.shut();
            CompletableFuture<ExtendResult> first = Driver.BLOCKING.extend(lease, Duration.ofSeconds(30));
            await().until(() -> store.extensions.waiting() == 1);
            AbortSignal signal = AbortSignal.create();
            CompletableFuture<ExtendResult> queued =
                    lease.extendAsync(Duration.ofSeconds(1), signal).toCompletableFuture();

            signal.abort();
            store.extensions.open();

            assertThat(first).succeedsWithin(SOON);
            assertThat(queued).failsWithin(SOON).withThrowableThat().withMessageContaining("Aborted");
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(2));
        }
    }

    @Test
    @DisplayName("C1: a renewal that was decided on before a shortening and sent after it does not lift the term")
    void lateRenewal() throws InterruptedException {
        CountDownLatch renewed = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        BlockingBackend store = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                boolean renewal = request.mode() == Mode.AT_LEAST;
                if (!renewal) {
                    CompensationTest.awaitUninterruptibly(renewed);
                }
                ExtendOutcome outcome = super.extend(request, signal);
                if (renewal) {
                    renewed.countDown();
                    CompensationTest.awaitUninterruptibly(answered); // the renewal is answered after the shortening
                }
                return outcome;
            }

            @Override
            public Duration commandTimeout() {
                return SOON;
            }
        };
        PausingTime time = new PausingTime();
        try (SyncGuard guard = SyncGuard.builder(store).time(time).build()) {
            Lease lease = guard.acquire(
                    "k", LockOptions.defaults().ttl(Duration.ofSeconds(3)).autoExtend());
            await().until(() -> time.paused.getCount() == 0); // a renewal is decided on
            Thread shortening = new Thread(() -> lease.extend(Duration.ofMillis(800)));
            shortening.start();
            await().until(() -> shortening.getState() == Thread.State.WAITING);
            time.goOn.countDown();
            shortening.join(SOON.toMillis());
            answered.countDown();

            AtomicInteger looks = new AtomicInteger(); // the answer to the renewal is dealt with meanwhile
            await().pollInterval(Duration.ofMillis(10)).until(() -> {
                assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(800));
                return looks.incrementAndGet() == 20;
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-8")
    @DisplayName("a renewal that reaches the store after a longer extension by hand does not shorten the lock")
    void delayedRenewal(Driver driver) {
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch arrives = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        BlockingBackend store = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                boolean renewal = request.ttl().millis() < 10_000;
                if (renewal) {
                    underWay.countDown();
                    CompensationTest.awaitUninterruptibly(arrives);
                }
                ExtendOutcome outcome = super.extend(request, signal);
                if (renewal) {
                    arrived.countDown();
                }
                return outcome;
            }
        };
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire(
                    "k", LockOptions.defaults().ttl(Duration.ofSeconds(3)).autoExtend());
            CompensationTest.awaitUninterruptibly(underWay);
            assertThat(driver.extend(lease, Duration.ofHours(1)))
                    .succeedsWithin(SOON)
                    .matches(ExtendResult::ok);
            long expiresAtMs = lease.expiresAtMs();

            arrives.countDown();
            CompensationTest.awaitUninterruptibly(arrived);

            assertThat(guard.lookup("k").orElseThrow().expiresAtMs()).isEqualTo(expiresAtMs);
            assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(50));
        }
    }

    /** Pauses the timer's thread when it sets its next timer for the first time. */
    private static final class PausingTime implements Timekeeper {
        private final Timekeeper time = new SystemTimekeeper();
        private final CountDownLatch paused = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            if (Thread.currentThread().getName().startsWith("syncguard-timer") && paused.getCount() > 0) {
                paused.countDown();
                CompensationTest.awaitUninterruptibly(goOn);
            }
            return time.schedule(delayNanos, task);
        }

        @Override
        public void close() {
            time.close();
        }
    }
}
