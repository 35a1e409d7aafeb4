package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseSignals;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What ends the sleep of a waiter. */
class WokenWaiterTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));
    private static final LockOptions SLOW_POLLS =
            PATIENT.retryDelay(Duration.ofMinutes(1)).maxRetryDelay(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();

    @AfterEach
    void end() {
        guard.close();
        other.close();
    }

    static Stream<Driver> fiftyTimes() {
        return Collections.nCopies(50, Driver.values()).stream().flatMap(Arrays::stream);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-3")
    @DisplayName("a hundred wake-ups do not use up two retries")
    void wakeUpsAreFree(Driver driver) {
        Lease held = other.acquire("k");
        LockOptions twoPolls = PATIENT.maxRetries(2);
        CompletableFuture<Lease> waiter = driver.acquire(guard, "k", twoPolls);

        for (int i = 0; i < 100; i++) {
            held.release();
            // Either may be first: the waiter may win, then it is done.
            if (other.tryAcquire("k") instanceof Lease next) {
                held = next;
            }
        }
        held.release();

        assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-3")
    @DisplayName("waking when the holder's time is up does not count as a poll")
    void expiryIsFree(Driver driver) {
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofMillis(200)));
        LockOptions onePoll =
                PATIENT.maxRetries(1).retryDelay(Duration.ofSeconds(30)).maxRetryDelay(Duration.ofSeconds(30));

        Lease lease = Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", onePoll));

        assertThat(lease.fence()).isEqualTo(new Fence(2));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-7")
    @DisplayName("a release in the same guard wakes the waiter, on a store without signals")
    void localRelease(Driver driver) {
        try (SyncGuard real = SyncGuard.of(new BlockingBackend(new MemoryLockBackend()))) {
            Lease held = real.acquire("k");
            CompletableFuture<Lease> waiter = driver.acquire(real, "k", SLOW_POLLS);
            assertThatThrownBy(() -> waiter.get(100, TimeUnit.MILLISECONDS)).isNotNull();

            held.release();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @MethodSource("fiftyTimes")
    @Rule("WAI-7")
    @DisplayName("a release in another guard wakes the waiter by the store's signal, whenever it comes")
    void storeSignal(Driver driver) {
        MemoryLockBackend store = new MemoryLockBackend();
        try (SyncGuard here = SyncGuard.of(store);
                SyncGuard there = SyncGuard.of(store)) {
            Lease held = there.acquire("k");
            CompletableFuture<Lease> waiter = driver.acquire(here, "k", SLOW_POLLS);

            held.release();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-7")
    @DisplayName("a release of this process's lock by another guard wakes the waiter by the store's signal")
    void releasedElsewhere(Driver driver) {
        MemoryLockBackend store = new MemoryLockBackend();
        try (SyncGuard here = SyncGuard.of(store);
                SyncGuard there = SyncGuard.of(store)) {
            LockOptions onePoll = PATIENT.retryDelay(Duration.ofMillis(50))
                    .jitter(Jitter.NONE)
                    .maxRetryDelay(Duration.ofMinutes(1))
                    .backoff(Backoff.EXPONENTIAL);
            Lease blocker = here.acquire("k");
            CompletableFuture<Lease> next = driver.acquire(here, "k", onePoll);
            CompletableFuture<Lease> last = driver.acquire(here, "k", onePoll);
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

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-7")
    @DisplayName("the end of the holder's time wakes the waiter")
    void expiry(Driver driver) {
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(3)));

        Lease lease = Blocked.whileAdvancing(simulator, driver.acquire(guard, "k", SLOW_POLLS));

        assertThat(lease.fence()).isEqualTo(new Fence(2));
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-8")
    @DisplayName("a waiter whose signals are all lost gets the lock by polling")
    void deafWaiter(Driver driver) {
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
            CompletableFuture<Lease> waiter = driver.acquire(here, "k", PATIENT);
            assertThatThrownBy(() -> waiter.get(200, TimeUnit.MILLISECONDS)).isNotNull();

            held.release();

            assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
        }
    }
}
