package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StarvedRenewalTest {

    private static final LockOptions RENEWED =
            LockOptions.defaults().ttl(Duration.ofSeconds(1)).autoExtend();

    /** A store that can only block, and remembers which threads renewed. */
    private static class RenewedBackend extends BlockingBackend {
        final AtomicInteger renewals = new AtomicInteger();
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        RenewedBackend() {
            super(new MemoryLockBackend());
        }

        @Override
        public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
            threads.add(Thread.currentThread());
            ExtendOutcome outcome = super.extend(request, signal);
            renewals.incrementAndGet();
            return outcome;
        }
    }

    @Test
    @Rule("THR-1")
    @DisplayName("M1: continuations and handlers that block keep no lease from being renewed")
    void blockedContinuations() {
        RenewedBackend store = new RenewedBackend();
        CountDownLatch never = new CountDownLatch(1);
        try (SyncGuard guard = SyncGuard.of(store);
                Lease lease = guard.acquire("kept", RENEWED)) {
            List<Lease> others = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                guard.async().run("other" + i, held -> {
                    CompensationTest.awaitUninterruptibly(never);
                    return CompletableFuture.completedStage(null);
                });
                Lease other = guard.acquire("short" + i, LockOptions.defaults().ttl(Duration.ofMillis(200)));
                other.onLost(loss -> CompensationTest.awaitUninterruptibly(never));
                others.add(other);
            }

            await().until(() -> store.renewals.get() >= 6);

            assertThat(lease.isValid()).isTrue();
            assertThat(others).allMatch(Lease::wasLost);
            never.countDown();
        }
    }

    @Test
    @Rule("THR-1")
    @DisplayName("M2: renewals of a blocking store run on platform threads, also beside busy virtual threads")
    void busyVirtualThreads() throws Exception {
        RenewedBackend store = new RenewedBackend();
        AtomicBoolean stop = new AtomicBoolean();
        try (SyncGuard guard = SyncGuard.of(store);
                Lease lease = guard.acquire("k", RENEWED)) {
            keepCarriersBusy(stop);

            await().until(() -> store.renewals.get() >= 5);

            assertThat(lease.isValid()).isTrue();
            assertThat(store.threads)
                    .noneMatch(thread -> thread.getClass().getName().contains("Virtual"))
                    .allMatch(thread -> thread.getName().startsWith("syncguard-upkeep"));
        } finally {
            stop.set(true);
        }
    }

    /** Starts as many CPU-bound virtual threads as there are carriers; nothing on a JDK that has none. */
    private static void keepCarriersBusy(AtomicBoolean stop) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return;
        }
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Runnable busy = () -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
            };
            start.invoke(null, busy);
        }
    }

    @Test
    @Rule("THR-1")
    @DisplayName("M2: the threads of renewals exist as long as leases are renewed")
    void threadsExistBefore() {
        RenewedBackend store = new RenewedBackend();
        try (SyncGuard guard = SyncGuard.of(store);
                Lease lease = guard.acquire("k", RENEWED)) {
            Set<Thread> before = upkeepThreads();
            assertThat(before).isNotEmpty();

            await().until(() -> store.renewals.get() >= 3);

            assertThat(before).containsAll(store.threads);
            assertThat(lease.isValid()).isTrue();
        }
    }

    private static Set<Thread> upkeepThreads() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("syncguard-upkeep"))
                .forEach(threads::add);
        return threads;
    }

    @Test
    @Rule("CMP-7")
    @DisplayName(
            "M4: hundreds of compensations that hang keep no lease from being renewed or released, and are counted")
    void hangingCompensations() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger hanging = new AtomicInteger();
        AtomicInteger mostHanging = new AtomicInteger();
        RenewedBackend store = new RenewedBackend() {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                AcquireOutcome outcome = super.acquire(request, signal);
                if (!request.key().value().startsWith("kept")) {
                    throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
                }
                return outcome;
            }

            @Override
            public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                if (never.getCount() > 0 && !isKept(request)) {
                    mostHanging.accumulateAndGet(hanging.incrementAndGet(), Math::max);
                    CompensationTest.awaitUninterruptibly(never);
                }
                return super.release(request, signal);
            }

            private boolean isKept(ReleaseRequest request) {
                LockKey key = request.key();
                return key != null && key.value().startsWith("kept");
            }
        };
        try (SyncGuard guard = SyncGuard.of(store)) {
            List<Lease> kept = IntStream.range(0, 5)
                    .mapToObj(i -> guard.acquire("kept" + i, RENEWED))
                    .toList();
            for (int i = 0; i < 600; i++) {
                String key = "lost" + i;
                assertThat(catchThrowable(() -> guard.acquire(key))).isInstanceOf(LockException.class);
            }
            int before = store.renewals.get();
            await().until(() -> store.renewals.get() >= before + 25);

            assertThat(kept).allMatch(Lease::isValid);
            assertThat(guard.pendingReleases()).isEqualTo(600);
            assertThat(mostHanging.get()).as("threads that compensate").isBetween(1, 4);
            assertThat(kept.get(0).releaseAsync())
                    .as("a release does not wait for compensations")
                    .succeedsWithin(Duration.ofSeconds(20))
                    .isEqualTo(true);
            never.countDown();
            await().until(() -> guard.pendingReleases() == 0);
            kept.forEach(Lease::close);
        }
    }

    @Test
    @Rule("CMP-7")
    @DisplayName("M4: compensations that fail back off")
    void backOff() {
        AtomicInteger attempts = new AtomicInteger();
        SyncGuard counting = SyncGuard.builder(new BlockingBackend(new MemoryLockBackend()) {
                    @Override
                    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                        throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
                    }

                    @Override
                    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                        attempts.incrementAndGet();
                        throw new LockException(Code.SERVICE_UNAVAILABLE, "down");
                    }
                })
                .build();
        assertThat(catchThrowable(() -> counting.acquire("k"))).isInstanceOf(LockException.class);

        await().until(() -> attempts.get() >= 3);
        assertThat(counting.pendingReleases()).isEqualTo(1);
        counting.close();
        assertThat(attempts.get()).as("pauses of 50, 100, 200, 400 ms").isLessThan(12);
    }

    @Test
    @Rule("LSE-13")
    @DisplayName("m5: with a ttl below three command timeouts, one lost renewal does not lose the lease")
    void oneLostRenewal() {
        LockSimulator simulator = new LockSimulator();
        SyncGuard guard = simulator.newGuard();
        LockOptions shortTtl =
                LockOptions.defaults().ttl(Duration.ofMillis(200)).autoExtend();
        Lease lease = guard.acquire("k", shortTtl);
        simulator.delayReply(Operation.EXTEND, Duration.ofHours(1));

        simulator.advance(Duration.ofMinutes(1));
        assertThat(lease.isValid()).isTrue();

        simulator.dropReply(Operation.EXTEND);
        simulator.advance(Duration.ofMinutes(1));
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    @Rule("LSE-13")
    @DisplayName("m5: on a store that can only block, a renewal that hangs does not keep the next one back")
    void hangingRenewal() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        RenewedBackend store = new RenewedBackend() {
            @Override
            public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
                if (begun.incrementAndGet() == 1) {
                    CompensationTest.awaitUninterruptibly(never);
                }
                return super.extend(request, signal);
            }
        };
        try (SyncGuard guard = SyncGuard.of(store);
                Lease lease = guard.acquire("k", RENEWED)) {
            await().until(() -> store.renewals.get() >= 4);
            assertThat(lease.isValid()).isTrue();
            never.countDown();
        }
    }
}
