package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadNeighboursTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(5));

    /** Fails in every way. */
    private static final class BadSubscription implements ReleaseSignals.Subscription {
        @Override
        public boolean isActive() {
            throw new IllegalStateException("broken");
        }

        @Override
        public void close() {
            throw new AssertionError("broken");
        }
    }

    private static final class BadSignals extends ForwardingLockBackend {
        private final boolean handsOver;

        BadSignals(boolean handsOver) {
            super(new MemoryLockBackend());
            this.handsOver = handsOver;
        }

        @Override
        public Optional<ReleaseSignals> releaseSignals() {
            return Optional.of((key, wakeUp) -> new BadSubscription());
        }

        @Override
        public Optional<HandOver> handOver() {
            return handsOver ? Optional.of(new BadHandOver()) : Optional.empty();
        }
    }

    private static final class BadHandOver implements HandOver {
        @Override
        public Subscription subscribe(LockKey key, LockId lockId, Heir heir) {
            return new BadSubscription();
        }

        @Override
        public boolean isListening(LockKey key) {
            throw new AssertionError("broken");
        }
    }

    static Stream<Arguments> driversWithAndWithoutHandOver() {
        return Stream.of(Driver.values())
                .flatMap(driver -> Stream.of(arguments(driver, false), arguments(driver, true)));
    }

    @ParameterizedTest
    @MethodSource("driversWithAndWithoutHandOver")
    @Rule("FLT-4")
    @DisplayName("m7: a subscription that throws when it is closed costs neither the lease nor the next waiter")
    void badSubscription(Driver driver, boolean handsOver) {
        try (SyncGuard guard = SyncGuard.of(new BadSignals(handsOver))) {
            Lease held = guard.acquire("k");
            CompletableFuture<Lease> first = driver.acquire(guard, "k", PATIENT);
            CompletableFuture<Lease> second = driver.acquire(guard, "k", PATIENT);
            held.close();

            Lease one = (Lease) CompletableFuture.anyOf(first, second).join();
            assertThat(one.isValid()).isTrue();
            one.close();

            assertThat(first).succeedsWithin(SOON);
            assertThat(second).succeedsWithin(SOON);
            first.join().close();
            second.join().close();
            assertThat(guard.isLocked("k")).isFalse();
        }
    }

    private static void whileLogging(Runnable publish, Runnable test) {
        Logger logger = Logger.getLogger("dev.syncguard");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                publish.run();
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            test.run();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    @Rule("FLT-4")
    @DisplayName("m8: a log handler that throws swallows no onLost")
    void throwingLog() {
        List<LeaseLostException> losses = new CopyOnWriteArrayList<>();
        AtomicInteger logged = new AtomicInteger();
        Runnable broken = () -> {
            logged.incrementAndGet();
            throw new AssertionError("broken handler");
        };
        whileLogging(broken, () -> {
            try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend())) {
                LockOptions options = LockOptions.defaults().ttl(Duration.ofMillis(200));
                Lease lease = guard.acquire("k", options.onLost(losses::add));

                await().until(() -> losses.size() == 1);
                await().until(() -> logged.get() > 0);
                assertThat(lease.wasLost()).isTrue();
                assertThat(guard.acquire("k").isValid()).isTrue();
            }
        });
    }

    @Test
    @Rule("FLT-4")
    @DisplayName("m8: a log handler that hangs delays no renewal")
    void hangingLog() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger renewals = new AtomicInteger();
        BlockingBackend flaky = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                if (renewals.incrementAndGet() % 2 == 1) {
                    throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, "every other one");
                }
                return super.extend(request, signal);
            }
        };
        whileLogging(() -> CompensationTest.awaitUninterruptibly(never), () -> {
            LockOptions options =
                    LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend();
            try (SyncGuard guard = SyncGuard.of(flaky);
                    Lease lease = guard.acquire("k", options)) {
                await().until(() -> renewals.get() >= 10);
                assertThat(lease.isValid()).isTrue();
            } finally {
                never.countDown();
            }
        });
    }
}
