package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that is used up for a moment when a renewal sets its next timer, on the thread that nothing else would wake. */
class TimerOutOfMemoryTest {

    private static final Duration TTL = Duration.ofSeconds(3);

    /** Timers cannot be set from the timer's own thread a number of times. */
    private static final class ShortOfMemory implements Timekeeper {
        private final Timekeeper time = new SystemTimekeeper();
        private final AtomicInteger failures = new AtomicInteger();

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            boolean onTimer = Thread.currentThread().getName().startsWith("syncguard-timer");
            if (onTimer && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("injected: Java heap space");
            }
            return time.schedule(delayNanos, task);
        }

        @Override
        public void close() {
            time.close();
        }
    }

    private final ShortOfMemory time = new ShortOfMemory();
    private final CopyOnWriteArrayList<LeaseLostException> losses = new CopyOnWriteArrayList<>();

    private SyncGuard guard(boolean nativeAsync) {
        MemoryLockBackend memory = new MemoryLockBackend();
        LockBackend store = nativeAsync ? memory : new BlockingBackend(memory);
        return SyncGuard.builder(store).time(time).build();
    }

    @ParameterizedTest
    @CsvSource({"true, 1, 5", "false, 1, 3", "true, 20, 1", "false, 20, 1"})
    @Rule("FLT-2")
    @DisplayName("C3: renewals go on after their timer could not be set for a moment, however often that happens")
    void renewalsGoOn(boolean nativeAsync, int inARow, int times) {
        try (SyncGuard guard = guard(nativeAsync);
                Lease lease = guard.acquire(
                        "k", LockOptions.defaults().ttl(TTL).autoExtend().onLost(losses::add))) {
            for (int i = 0; i < times; i++) {
                time.failures.set(inARow);
                awaitRenewal(lease);
            }

            awaitRenewal(lease);
            awaitRenewal(lease);

            assertThat(losses).isEmpty();
        }
    }

    private void awaitRenewal(Lease lease) {
        long before = lease.expiresAtMs();
        await().until(() -> lease.expiresAtMs() > before && time.failures.get() == 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("FLT-2")
    @DisplayName("C3: a loss is told although no timer can be set when the lease expires")
    void lossIsTold(boolean nativeAsync) {
        try (SyncGuard guard = guard(nativeAsync)) {
            time.failures.set(Integer.MAX_VALUE);
            Lease lease = guard.acquire(
                    "k",
                    LockOptions.defaults()
                            .ttl(Duration.ofMillis(900))
                            .autoExtend()
                            .holdAtMost(Duration.ofMillis(1000))
                            .onLost(losses::add));

            await().until(() -> losses.size() == 1);

            assertThat(lease.wasLost()).isTrue();
            time.failures.set(0);
        }
    }
}
