package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Renewals on a store that can only block and does not answer for some keys. */
class HangingRenewalTest {

    private static final LockOptions RENEWED =
            LockOptions.defaults().ttl(Duration.ofSeconds(3)).autoExtend();

    /** How many threads renewals may take in a guard of one thread. */
    private static final int MOST_THREADS = 16;

    private final CountDownLatch hanging = new CountDownLatch(1);
    private final AtomicInteger occupied = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();

    private final BlockingBackend store = new BlockingBackend(new MemoryLockBackend()) {
        @Override
        public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
            LockKey key = request.key();
            if (key != null && key.value().startsWith("hangs")) {
                occupied.incrementAndGet();
                CompensationTest.awaitUninterruptibly(hanging);
            } else {
                renewals.incrementAndGet();
            }
            return super.extend(request, signal);
        }
    };

    @Test
    @DisplayName("M2: a renewal that still waits for a thread is not queued a second time")
    void waitingRenewalIsNotRepeated() {
        try (SyncGuard guard = SyncGuard.builder(store).threads(1).build()) {
            Lease waits = guard.acquire("waits", RENEWED.ttl(Duration.ofSeconds(12)));
            acquireHanging(guard, 2 * MOST_THREADS);
            await().until(() -> occupied.get() == MOST_THREADS);

            // Renewals are due after 4, 6.7 and 8.4 s; all threads that there may be are busy.
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> waits.remaining().compareTo(Duration.ofMillis(3200)) < 0);
            assertThat(occupied).hasValue(MOST_THREADS);
            hanging.countDown();

            await().until(() -> renewals.get() > 0);
            await().during(Duration.ofMillis(500)).until(() -> renewals.get() == 1);
            assertThat(waits.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("M2: leases whose renewals hang keep no other lease from being renewed")
    void hangingRenewals() {
        try (SyncGuard guard = SyncGuard.of(store)) {
            acquireHanging(guard, 20);
            List<Lease> healthy = IntStream.range(0, 5)
                    .mapToObj(i -> guard.acquire("healthy" + i, RENEWED.ttl(Duration.ofSeconds(2))))
                    .toList();
            await().until(() -> occupied.get() >= 8);

            await().until(() -> renewals.get() >= 25 || healthy.stream().anyMatch(Lease::wasLost));

            assertThat(healthy).allMatch(Lease::isValid);
            hanging.countDown();
            healthy.forEach(Lease::close);
        }
    }

    private static void acquireHanging(SyncGuard guard, int count) {
        for (int i = 0; i < count; i++) {
            guard.acquire("hangs" + i, RENEWED);
        }
    }
}
