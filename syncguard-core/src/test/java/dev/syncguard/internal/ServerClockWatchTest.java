package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AbortSignal;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.LogCapture;
import dev.syncguard.Rule;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerClockWatchTest {

    private static final long START_MS = 1_750_000_000_000L;

    private static final SystemTimekeeper TIME = new SystemTimekeeper();

    private final ServerClockWatch watch =
            new ServerClockWatch(new Reports(TIME, Runnable::run, Runnable::run, new LastResort(TIME), null));

    private void observe(long storeMs, long sentMs, long receivedMs) {
        observe(storeMs, sentMs, receivedMs, 0);
    }

    /** The times of this process are monotonic; what it takes for a suspension is added. */
    private void observe(long storeMs, long sentMs, long receivedMs, long suspendedMs) {
        watch.observe(
                START_MS + storeMs,
                TimeUnit.MILLISECONDS.toNanos(sentMs + suspendedMs),
                TimeUnit.MILLISECONDS.toNanos(receivedMs + suspendedMs),
                TimeUnit.MILLISECONDS.toNanos(suspendedMs));
    }

    @Test
    @Rule("CLK-1")
    @DisplayName("T5: a clock of the store that jumps by more than half a second is warned of once")
    void jump() {
        try (LogCapture log = LogCapture.start()) {
            observe(0, 0, 10);
            observe(1_005, 1_000, 1_010);
            observe(5_005, 2_000, 2_010); // three seconds too far
            observe(6_005, 3_000, 3_010);

            assertThat(log.messages()).singleElement().asString().contains("the store's clock jumped by about 29");
        }
    }

    @Test
    @Rule("CLK-1")
    @DisplayName("T5: slow replies and clocks that drift apart in days are no jump")
    void drift() {
        try (LogCapture log = LogCapture.start()) {
            for (int minute = 0; minute < 60 * 24; minute++) {
                long now = minute * 60_000L;
                observe(now + minute, now, now + 20); // a millisecond a minute
            }
            observe(60 * 24 * 60_000L + 1_440 + 2_000, 60 * 24 * 60_000L, 60 * 24 * 60_000L + 4_000);

            assertThat(log.messages()).isEmpty();
        }
    }

    @Test
    @Rule("CLK-1")
    @DisplayName("T5: neither a suspension of this machine nor a time of day that was set here is a jump of the store")
    void thisMachine() {
        try (LogCapture log = LogCapture.start()) {
            observe(0, 0, 10);
            observe(301_000, 1_000, 1_010, 300_000); // suspended for five minutes
            observe(302_000, 2_000, 2_010, 300_000);
            observe(303_000, 3_000, 3_010, 3_900_000); // the time of day was set forward by an hour
            observe(304_000, 4_000, 4_010, 3_900_000);
            assertThat(log.messages()).isEmpty();

            observe(315_000, 5_000, 5_010, 3_900_000);
            assertThat(log.messages()).singleElement().asString().contains("the store's clock jumped by about 99");
        }
    }

    /** What tells a guard the time of its store. */
    enum Answer {
        GRANT,
        EXTENSION,
        RENEWAL
    }

    @ParameterizedTest
    @EnumSource
    @Rule("CLK-1")
    @DisplayName("T5: a guard that lives for long notices a jump by any answer that tells the store's time")
    void guardNotices(Answer answer) {
        Jumping store = new Jumping();
        LockOptions options = LockOptions.defaults().ttl(Duration.ofSeconds(answer == Answer.RENEWAL ? 1 : 60));
        try (LogCapture log = LogCapture.start();
                SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k", options.autoExtend());
            store.aheadMs = 10_000;

            switch (answer) {
                case GRANT -> guard.run("other", options, held -> {});
                case EXTENSION -> lease.extend(Duration.ofMinutes(1));
                case RENEWAL -> {}
            }

            await().until(() -> log.messages().stream().anyMatch(line -> line.contains("the store's clock jumped")));
        }
    }

    /** A store whose clock can be set. */
    private static final class Jumping extends ForwardingLockBackend {

        private volatile long aheadMs;

        Jumping() {
            super(new MemoryLockBackend());
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            return super.acquire(request, signal) instanceof Granted grant
                    ? new Granted(grant.lockId(), grant.fence(), grant.expiresAtMs() + aheadMs, grant.remainingMs())
                    : new AcquireOutcome.Refused(1);
        }

        @Override
        public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
            ExtendOutcome outcome = super.extend(request, signal);
            return outcome instanceof Extended extended
                    ? new Extended(extended.expiresAtMs() + aheadMs, extended.remainingMs())
                    : outcome;
        }

        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.empty();
        }
    }
}
