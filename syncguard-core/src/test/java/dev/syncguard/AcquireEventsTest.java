package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.LeaseObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An observer hears the beginning of every acquire, and one end of it. */
class AcquireEventsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final List<LockId> begun = new CopyOnWriteArrayList<>();
    private final List<Thread> callers = new CopyOnWriteArrayList<>();
    private final List<LeaseEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile @Nullable LockException failure;

    private final ForwardingLockBackend store = new ForwardingLockBackend(new MemoryLockBackend()) {
        @Override
        public Optional<LeaseObserver> leaseObserver() {
            return Optional.of(new LeaseObserver() {
                @Override
                public void onLeaseEvent(LeaseEvent event) {
                    events.add(event);
                }

                @Override
                public void onAcquire(LockKey key, LockId lockId) {
                    callers.add(Thread.currentThread());
                    begun.add(lockId);
                }
            });
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            requests.incrementAndGet();
            LockException thrown = failure;
            if (thrown != null) {
                throw thrown;
            }
            return super.acquire(request, signal);
        }

        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.empty();
        }
    };

    private List<LeaseEvent.Type> types() {
        return events.stream().map(LeaseEvent::type).toList();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a grant is told with the lock id of the beginning and its fence, before the lease can end")
    void granted(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = driver.acquire(guard, "k", LockOptions.defaults(), AbortSignal.none())
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();
            lease.release();

            assertThat(begun).containsExactly(lease.lockId());
            assertThat(types()).containsExactly(LeaseEvent.Type.GRANTED, LeaseEvent.Type.RELEASED);
            assertThat(events.get(0).lockId()).isEqualTo(lease.lockId());
            assertThat(events.get(0).fence()).isEqualTo(lease.fence());
        }
    }

    @Test
    @DisplayName("the beginning is told on the caller's thread, in both views")
    void callersThread() {
        try (SyncGuard guard = SyncGuard.of(store)) {
            guard.acquire("k").close();
            guard.async().acquire("k").toCompletableFuture().join().close();

            assertThat(callers).hasSize(2).containsOnly(Thread.currentThread());
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a wait in vain ends with the failure that its caller gets")
    void inVain(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            guard.acquire("k");
            events.clear();
            AbortSignal caller = AbortSignal.create();
            LockOptions options =
                    LockOptions.defaults().waitAtMost(Duration.ofMinutes(1)).retryDelay(Duration.ofMillis(1));
            CompletableFuture<Lease> waiting = driver.acquire(guard, "k", options, caller);
            await().until(() -> requests.get() >= 3); // so it has slept between two of its own

            caller.abort();

            assertThat(waiting).failsWithin(SOON);
            await().until(() -> types().contains(LeaseEvent.Type.NOT_GRANTED));
            assertThat(types()).containsExactly(LeaseEvent.Type.WAITED, LeaseEvent.Type.NOT_GRANTED);
            assertThat(events.get(1).lockId()).isEqualTo(begun.get(1));
            assertThat(events).extracting(event -> event.failure().code()).containsExactly(Code.ABORTED, Code.ABORTED);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a store that fails ends the acquire with its error, a guard that closes with an abort")
    void failed(Driver driver) {
        SyncGuard guard = SyncGuard.of(store);
        failure = new LockException(Code.AUTH_FAILED, "no");
        assertThat(driver.acquire(guard, "k", LockOptions.defaults(), AbortSignal.none()))
                .failsWithin(SOON);
        failure = null;
        guard.acquire("k");
        CompletableFuture<Lease> waiting = driver.acquire(
                guard, "k", LockOptions.defaults().waitAtMost(Duration.ofMinutes(1)), AbortSignal.none());
        await().until(() -> guard.waiters() == 1);
        guard.close();
        assertThat(waiting).failsWithin(SOON);

        assertThat(events.stream()
                        .filter(event -> event.type() == LeaseEvent.Type.NOT_GRANTED)
                        .map(event -> event.failure().code()))
                .containsExactly(Code.AUTH_FAILED, Code.ABORTED);
        assertThat(catchThrowable(() -> guard.acquire("k"))).isInstanceOf(IllegalStateException.class);
        assertThat(begun).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("one attempt that finds the key locked ends without a failure")
    void contended(Driver driver) {
        try (SyncGuard guard = SyncGuard.of(store)) {
            guard.acquire("k");
            events.clear();

            assertThat(driver.tryAcquire(guard, "k", LockOptions.defaults()))
                    .succeedsWithin(SOON)
                    .isInstanceOf(Contended.class);

            assertThat(types()).containsExactly(LeaseEvent.Type.NOT_GRANTED);
            assertThat(events.get(0).failure()).isNull();
        }
    }

    @Test
    @DisplayName("held leases and waiting callers are counted")
    void counts() {
        try (SyncGuard guard = SyncGuard.of(store)) {
            Lease lease = guard.acquire("k");
            var waiting = guard.async()
                    .acquire("k", LockOptions.defaults().waitAtMost(Duration.ofMinutes(1)))
                    .toCompletableFuture();
            await().until(() -> guard.waiters() == 1);
            assertThat(guard.heldLeases()).isEqualTo(1);

            lease.release();

            assertThat(waiting).succeedsWithin(SOON);
            assertThat(guard.waiters()).isZero();
            waiting.join().release();
            assertThat(guard.heldLeases()).isZero();
        }
    }
}
