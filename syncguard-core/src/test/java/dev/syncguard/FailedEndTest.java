package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An acquire without a thread that ends badly anyway, while the guard is out of memory at each look of its end in turn. */
class FailedEndTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofHours(1));

    private final MemoryLockBackend store = new MemoryLockBackend();

    /** A store that blocks, and does to the first acquire what the test says. */
    private abstract class FirstAcquire extends ForwardingLockBackend {

        private final AtomicBoolean begun = new AtomicBoolean();

        FirstAcquire() {
            super(store);
        }

        abstract AcquireOutcome first(AcquireOutcome granted);

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            boolean isFirst = begun.compareAndSet(false, true);
            AcquireOutcome outcome = super.acquire(request, signal);
            return isFirst ? first(outcome) : outcome;
        }

        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.empty();
        }

        @Override
        public Optional<LeaseObserver> leaseObserver() {
            return Optional.of(event -> {});
        }
    }

    /** Runs something for each look in turn, until a run takes no more looks than that. */
    private static void atEachLook(IntUnaryOperator run) {
        for (int look = 0; look < run.applyAsInt(look); look++) {}
    }

    /** The stage completes, the lock goes, and the next acquire gets it. */
    private void assertOver(
            SyncGuard guard, FirstAcquire backend, CompletableFuture<Lease> acquiring, FailingClock clock, int look) {
        assertThat(acquiring).as("look %d", look).failsWithin(SOON);
        await("unlocked after look " + look)
                .atMost(SOON)
                .until(() -> !store.isLocked(LockKey.of("k"), AbortSignal.none()));
        clock.heal();
        backend.begun.set(true);
        guard.acquire("k", LONG.waitAtMost(SOON)).close();
    }

    @Test
    @Rule("FLT-5")
    @DisplayName("a grant whose answer is unknown is taken back, and the stage completes")
    void unknownOutcome() {
        atEachLook(look -> {
            FailingClock clock = new FailingClock(new SystemTimekeeper(), look);
            FirstAcquire backend = new FirstAcquire() {
                @Override
                AcquireOutcome first(AcquireOutcome granted) {
                    throw new LockException(Code.NETWORK_TIMEOUT, "injected", null, true);
                }
            };
            try (SyncGuard guard = SyncGuard.builder(backend).time(clock).build()) {
                CompletableFuture<Lease> acquiring = acquire(guard, SOON);
                assertOver(guard, backend, acquiring, clock, look);
            } catch (OutOfMemoryError e) {
                assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
            }
            return clock.looks();
        });
    }

    @Test
    @Rule("FLT-5")
    @DisplayName("a late grant to an acquire that has given up is taken back, and the line goes on")
    void lateGrant() {
        atEachLook(look -> {
            FailingClock clock = new FailingClock(new SystemTimekeeper(), look);
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            FirstAcquire backend = new FirstAcquire() {
                @Override
                AcquireOutcome first(AcquireOutcome granted) {
                    return answer.thenApply(late -> granted).join();
                }
            };
            try (SyncGuard guard = SyncGuard.builder(backend).time(clock).build()) {
                CompletableFuture<Lease> acquiring = acquire(guard, Duration.ofMillis(5));
                assertThat(acquiring).as("look %d", look).failsWithin(SOON);
                answer.complete(true);
                assertOver(guard, backend, acquiring, clock, look);
            } catch (OutOfMemoryError e) {
                assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
            }
            return clock.looks();
        });
    }

    private static CompletableFuture<Lease> acquire(SyncGuard guard, Duration wait) {
        return guard.async().acquire("k", LONG.waitAtMost(wait)).toCompletableFuture();
    }
}
