package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ConflictException;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class WaitingTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
        guard.close();
        other.close();
    }

    @Test
    @Rule("WAI-1")
    @DisplayName("the timeout ends the wait, with attempts and elapsed time")
    void timeout() {
        other.acquire("k");

        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, () -> guard.acquire("k")))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.ACQUISITION_TIMEOUT);
                    assertThat(e.elapsed()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
                    assertThat(e.attempts()).isBetween(5, 11);
                    assertThat(e.key()).contains("k");
                });
    }

    @Test
    @Rule("WAI-1")
    @DisplayName("maxRetries ends it as well, and zero means one attempt at once")
    void retries() {
        other.acquire("k");
        LockOptions threePolls = LockOptions.defaults().maxRetries(3).jitter(Jitter.NONE);

        // One attempt, one when the subscription stands, and three polls after 100, 200 and 400 ms.
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(simulator, () -> guard.acquire("k", threePolls)))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(5));
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> guard.acquire("k", LockOptions.defaults().maxRetries(0)))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(1));
        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> guard.acquire("k", LockOptions.defaults().waitAtMost(Duration.ZERO)))
                .satisfies(e -> assertThat(e.attempts()).isEqualTo(1));
    }

    @Test
    @Rule("WAI-2")
    @DisplayName("polls come after delays that double up to the cap, or stay the same")
    void delays() {
        RetryPolicy exponential = LockOptions.defaults().jitter(Jitter.NONE).retryPolicy();
        assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 100))
                .extracting(poll -> TimeUnit.NANOSECONDS.toMillis(exponential.delayNanos(poll, 0.5)))
                .containsExactly(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L, 2000L);

        RetryPolicy fixed = LockOptions.defaults()
                .backoff(Backoff.FIXED)
                .jitter(Jitter.NONE)
                .retryPolicy();
        assertThat(fixed.delayNanos(7, 0.5)).isEqualTo(100_000_000);

        RetryPolicy equal = LockOptions.defaults().retryPolicy();
        assertThat(equal.delayNanos(0, 0.0)).isEqualTo(50_000_000);
        assertThat(equal.delayNanos(0, 0.5)).isEqualTo(75_000_000);

        RetryPolicy full = LockOptions.defaults().jitter(Jitter.FULL).retryPolicy();
        assertThat(full.delayNanos(0, 0.25)).isEqualTo(25_000_000);
    }

    @Test
    @Rule("WAI-3")
    @DisplayName("a hundred wake-ups do not use up two retries")
    void wakeUpsAreFree() {
        Lease held = other.acquire("k");
        LockOptions twoPolls = PATIENT.maxRetries(2);
        CompletableFuture<Lease> waiter = Blocked.start(() -> guard.acquire("k", twoPolls));

        for (int i = 0; i < 100; i++) {
            held.release();
            // Whoever is first: the waiter may win, then it is done.
            if (other.tryAcquire("k") instanceof Lease next) {
                held = next;
            }
        }
        held.release();

        assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    @Rule("WAI-3")
    @DisplayName("waking when the holder's time is up does not count as a poll")
    void expiryIsFree() {
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofMillis(200)));
        LockOptions onePoll =
                PATIENT.maxRetries(1).retryDelay(Duration.ofSeconds(30)).maxRetryDelay(Duration.ofSeconds(30));

        Lease lease = Blocked.whileAdvancing(simulator, () -> guard.acquire("k", onePoll));

        assertThat(lease.fence()).isEqualTo(new Fence(2));
    }

    @Test
    @Rule("WAI-4")
    @DisplayName("waiting a minute is not cut short by ten retries")
    void aMinute() {
        Lease held = other.acquire("k", LockOptions.defaults().ttl(Duration.ofMinutes(10)));
        CompletableFuture<Lease> waiter = Blocked.start(() -> guard.acquire("k", PATIENT));
        await().until(() -> simulator.stored("k").isPresent());
        for (int i = 0; i < 40; i++) {
            simulator.advance(Duration.ofSeconds(1));
        }

        assertThat(waiter).isNotDone();
        held.release();
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    @Rule("WAI-5")
    @DisplayName("a failure of the store is thrown at once")
    void storeError() {
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> guard.acquire("k", PATIENT))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE));
    }

    @Test
    @Rule("WAI-5")
    @DisplayName("retryStoreErrors waits through transient failures, but not through others")
    void retryStoreErrors() {
        for (Code code : List.of(Code.SERVICE_UNAVAILABLE, Code.NETWORK_TIMEOUT, Code.RATE_LIMITED)) {
            simulator.failNext(Operation.ACQUIRE, code);
        }
        LockOptions options = PATIENT.retryStoreErrors();

        assertThat(Blocked.whileAdvancing(simulator, () -> guard.acquire("k", options))
                        .isValid())
                .isTrue();

        simulator.failNext(Operation.ACQUIRE, Code.AUTH_FAILED);
        assertThatThrownBy(() -> guard.acquire("l", options)).isInstanceOf(LockException.class);
    }

    @Test
    @Rule("WAI-5")
    @DisplayName(
            "a conflict in the store is contention: a waiting acquire goes on, a single attempt fails as unavailable")
    void conflict() {
        AtomicInteger conflicts = new AtomicInteger(3);
        LockBackend clashing = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                if (conflicts.getAndDecrement() > 0) {
                    throw new ConflictException("somebody was in the way", null);
                }
                return super.acquire(request, signal);
            }
        };
        try (SyncGuard crowded = SyncGuard.of(clashing)) {
            assertThatExceptionOfType(ConflictException.class)
                    .isThrownBy(() -> crowded.tryAcquire("k"))
                    .satisfies(e -> {
                        assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                        assertThat(e.outcomeUnknown()).isFalse();
                        assertThat(e.key()).contains("k");
                        assertThat(e).hasMessageStartingWith("ServiceUnavailable: somebody was in the way [key ");
                    });

            assertThat(crowded.acquire("k", PATIENT).isValid()).isTrue();
        }
    }

    @Test
    @Rule("WAI-6")
    @DisplayName("1,000 waiters on one key have one request in flight, and each gets the lock")
    void crowd() {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        LockBackend counting = new BlockingBackend(new MemoryLockBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                requests.incrementAndGet();
                try {
                    return super.acquire(request, signal);
                } finally {
                    inFlight.decrementAndGet();
                }
            }
        };
        int[] unguarded = new int[1];
        try (SyncGuard real = SyncGuard.of(counting)) {
            LockOptions options = LockOptions.defaults().waitAtMost(Duration.ofMinutes(2));
            List<CompletableFuture<?>> waiters = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                waiters.add(Blocked.start(() -> real.call("k", options, lease -> unguarded[0]++)));
                waiters.add(real.async()
                        .call("k", options, lease -> CompletableFuture.completedStage(unguarded[0]++))
                        .toCompletableFuture());
            }
            assertThat(CompletableFuture.allOf(waiters.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofMinutes(2));
        }
        assertThat(unguarded[0]).isEqualTo(1000);
        assertThat(most).hasValue(1);
        assertThat(requests.get()).as("asks for 1,000 grants").isLessThan(2500);
    }

    @Test
    @Rule("WAI-7")
    @DisplayName("a release in the same guard wakes the waiter, on a store without signals")
    void localRelease() {
        try (SyncGuard real = SyncGuard.of(new BlockingBackend(new MemoryLockBackend()))) {
            LockOptions slowPolls = PATIENT.retryDelay(Duration.ofMinutes(1)).maxRetryDelay(Duration.ofMinutes(1));
            Lease held = real.acquire("k");
            CompletableFuture<Lease> waiter = Blocked.start(() -> real.acquire("k", slowPolls));
            assertThatThrownBy(() -> waiter.get(100, TimeUnit.MILLISECONDS)).isNotNull();

            held.release();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @RepeatedTest(50)
    @Rule("WAI-7")
    @DisplayName("a release in another guard wakes the waiter by the store's signal, whenever it comes")
    void storeSignal() {
        MemoryLockBackend store = new MemoryLockBackend();
        try (SyncGuard here = SyncGuard.of(store);
                SyncGuard there = SyncGuard.of(store)) {
            LockOptions slowPolls = PATIENT.retryDelay(Duration.ofMinutes(1)).maxRetryDelay(Duration.ofMinutes(1));
            Lease held = there.acquire("k");
            CompletableFuture<Lease> waiter = Blocked.start(() -> here.acquire("k", slowPolls));

            held.release();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    @Rule("WAI-7")
    @DisplayName("the end of the holder's time wakes the waiter")
    void expiry() {
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(3)));
        LockOptions slowPolls = PATIENT.retryDelay(Duration.ofMinutes(1)).maxRetryDelay(Duration.ofMinutes(1));

        Lease lease = Blocked.whileAdvancing(simulator, () -> guard.acquire("k", slowPolls));

        assertThat(lease.fence()).isEqualTo(new Fence(2));
    }

    @Test
    @Rule("WAI-8")
    @DisplayName("a waiter whose signals are all lost gets the lock by polling")
    void deafWaiter() {
        MemoryLockBackend store = new MemoryLockBackend();
        LockBackend deaf = new BlockingBackend(store) {
            @Override
            public Optional<ReleaseSignals> releaseSignals() {
                return store.releaseSignals().map(signals -> (key, wakeUp) -> signals.subscribe(key, () -> {}));
            }
        };
        try (SyncGuard here = SyncGuard.of(deaf);
                SyncGuard there = SyncGuard.of(store)) {
            Lease held = there.acquire("k");
            CompletableFuture<Lease> waiter = Blocked.start(() -> here.acquire("k", PATIENT));
            assertThatThrownBy(() -> waiter.get(200, TimeUnit.MILLISECONDS)).isNotNull();

            held.release();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    @Rule("WAI-9")
    @DisplayName("a signal and an interrupt end the wait, and the next waiter takes over")
    void cancelled() throws Exception {
        Lease held = guard.acquire("k");
        AbortSignal signal = AbortSignal.create();
        CompletableFuture<Lease> first = Blocked.start(() -> guard.acquire("k", PATIENT, signal));
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<Boolean> second = Blocked.start(() -> {
            thread.set(Thread.currentThread());
            try {
                guard.acquire("k", PATIENT);
                return false;
            } catch (LockException e) {
                return e.code() == Code.ABORTED && Thread.interrupted();
            }
        });
        CompletableFuture<Lease> third = Blocked.start(() -> guard.acquire("k", PATIENT));
        await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.WAITING);

        signal.abort();
        assertThat(first)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.ABORTED));
        thread.get().interrupt();
        assertThat(second).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
        held.release();

        assertThat(third).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    @Rule("WAI-10")
    @DisplayName("tryAcquire asks once, gives Contended with the time left, and registers nobody")
    void tryOnce() {
        ConcurrentLinkedQueue<AcquireRequest> requests = new ConcurrentLinkedQueue<>();
        LockBackend recording = new BlockingBackend(simulator.newBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                requests.add(request);
                return super.acquire(request, signal);
            }
        };
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(7)));
        try (SyncGuard recorded = SyncGuard.of(recording)) {
            assertThat(recorded.tryAcquire("k")).isEqualTo(new Contended(Duration.ofSeconds(8)));
            assertThat(recorded.tryAcquire("free")).isInstanceOf(Lease.class);
        }
        assertThat(requests).hasSize(2).noneMatch(AcquireRequest::willWait);
    }

    @Test
    @Rule("WAI-11")
    @DisplayName("a thread that waits for itself is warned of, by the hash of the key")
    void selfWait() {
        CompletableFuture<Lease> waiter = Blocked.start(() -> {
            guard.acquire("secret-key");
            return guard.acquire("secret-key", PATIENT.waitAtMost(Duration.ofMillis(500)));
        });

        await().until(() -> !log.messages().isEmpty());
        simulator.advance(Duration.ofSeconds(1));

        assertThat(waiter).failsWithin(Duration.ofSeconds(20));
        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains("re-entrant")
                .contains(KeyHash.canonical().hash("secret-key"))
                .doesNotContain("secret-key");
    }

    @RepeatedTest(20)
    @DisplayName("a storm of waiters, some cancelled, leaves nobody behind")
    void storm() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            int[] unguarded = new int[1];
            AtomicInteger granted = new AtomicInteger();
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                AbortSignal signal = AbortSignal.create();
                boolean abort = i % 3 == 0;
                calls.add(Blocked.start(() -> real.call("k", PATIENT, signal, lease -> {
                            granted.incrementAndGet();
                            return unguarded[0]++;
                        }))
                        .exceptionally(e -> null));
                if (abort) {
                    signal.abort();
                }
            }
            assertThat(CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofSeconds(30));
            assertThat(unguarded[0]).isEqualTo(granted.get()).isGreaterThanOrEqualTo(40);
            assertThat(real.isLocked("k")).isFalse();
        }
    }

    @Test
    @DisplayName("threads that come and go at random all get their turn, with neither signals nor polls to help")
    void comingAndGoing() {
        LockOptions slowPolls = PATIENT.retryDelay(Duration.ofMinutes(1)).maxRetryDelay(Duration.ofMinutes(1));
        int[] unguarded = new int[1];
        try (SyncGuard real = SyncGuard.of(new BlockingBackend(new MemoryLockBackend()))) {
            List<CompletableFuture<Integer>> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Blocked.start(() -> {
                    for (int n = 0; n < 20_000; n++) {
                        real.run("k", slowPolls, lease -> unguarded[0]++);
                    }
                    return 1;
                }));
            }
            assertThat(threads).allSatisfy(thread -> assertThat(thread).succeedsWithin(Duration.ofSeconds(50)));
        }
        assertThat(unguarded[0]).isEqualTo(80_000);
    }

    @Test
    @Rule("WAI-1")
    @DisplayName("the shortest timeout still makes one attempt")
    void shortest() {
        assertThat(guard.acquire("k", LockOptions.defaults().waitAtMost(Duration.ofNanos(1)))
                        .isValid())
                .isTrue();
        assertThat(guard.async()
                        .acquire("l", LockOptions.defaults().waitAtMost(Duration.ofNanos(1)))
                        .toCompletableFuture())
                .isCompleted();
    }

    @Test
    @Rule("WAI-5")
    @DisplayName("a timeout after failures of the store names the last one as its cause")
    void timeoutAfterFailures() {
        for (int i = 0; i < 100; i++) {
            simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        }

        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> Blocked.whileAdvancing(
                        simulator,
                        () -> guard.acquire("k", LockOptions.defaults().retryStoreErrors())))
                .withCauseInstanceOf(LockException.class);
    }

    @Test
    @Rule("WAI-7")
    @DisplayName("a release of this process's lock by another guard wakes the waiter by the store's signal")
    void releasedElsewhere() {
        MemoryLockBackend store = new MemoryLockBackend();
        try (SyncGuard here = SyncGuard.of(store);
                SyncGuard there = SyncGuard.of(store)) {
            LockOptions onePoll = PATIENT.retryDelay(Duration.ofMillis(50))
                    .jitter(Jitter.NONE)
                    .maxRetryDelay(Duration.ofMinutes(1))
                    .backoff(Backoff.EXPONENTIAL);
            Lease blocker = here.acquire("k");
            CompletableFuture<Lease> next = Blocked.start(() -> here.acquire("k", onePoll));
            CompletableFuture<Lease> last = Blocked.start(() -> here.acquire("k", onePoll));
            blocker.release();
            await().until(() -> next.isDone() || last.isDone());
            CompletableFuture<Lease> holder = next.isDone() ? next : last;
            CompletableFuture<Lease> waiter = next.isDone() ? last : next;
            // Two polls: the waiter has asked the store by itself and is registered there.
            assertThatThrownBy(() -> waiter.get(400, TimeUnit.MILLISECONDS)).isNotNull();

            assertThat(there.release(holder.join().lockId())).isTrue();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @Test
    @Rule("WAI-9")
    @DisplayName("a listener of the signal that throws does not keep others from being cancelled")
    void throwingListener() {
        guard.acquire("k");
        AbortSignal signal = AbortSignal.create();
        signal.onAbort(() -> {
            throw new IllegalStateException("listener");
        });
        CompletableFuture<Lease> waiter = Blocked.start(() -> guard.acquire("k", PATIENT, signal));
        AtomicInteger later = new AtomicInteger();
        signal.onAbort(later::incrementAndGet);

        assertThatThrownBy(signal::abort).hasMessage("listener");

        assertThat(later).hasValue(1);
        assertThat(waiter).failsWithin(Duration.ofSeconds(20));
    }
}
