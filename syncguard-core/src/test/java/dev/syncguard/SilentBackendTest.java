package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SilentBackendTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private volatile boolean silent;
    private final MemoryLockBackend store = new MemoryLockBackend();
    private final SyncGuard guard = SyncGuard.of(new ForwardingLockBackend(store) {
        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.of(new Silent());
        }
    });

    /** Answers nothing while it is silent, ever. */
    private final class Silent implements AsyncLockBackend {

        private final AsyncLockBackend target = store.async().orElseThrow();

        private <T> CompletionStage<T> orNever(CompletionStage<T> stage) {
            return silent ? new CompletableFuture<>() : stage;
        }

        @Override
        public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
            return orNever(target.acquire(request, signal));
        }

        @Override
        public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
            return orNever(target.release(request, signal));
        }

        @Override
        public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
            return orNever(target.extend(request, signal));
        }

        @Override
        public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
            return orNever(target.isLocked(key, signal));
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
            return orNever(target.findByKey(key, signal));
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
            return orNever(target.findById(lockId, signal));
        }
    }

    @AfterEach
    void end() {
        guard.close();
    }

    private static void assertUnanswered(CompletionStage<?> stage) {
        assertThat(stage)
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertThat(e.code()).isEqualTo(Code.NETWORK_TIMEOUT);
                    assertThat(e.outcomeUnknown()).isTrue();
                });
    }

    @Test
    @Rule("FLT-3")
    @DisplayName("m6: stages that the backend never completes end in a network timeout of unknown outcome")
    void everyVerb() {
        Lease lease = guard.acquire("k");
        LockId foreign = guard.acquire("l").lockId();
        silent = true;

        CompletionStage<?> acquire = guard.async().acquire("m");
        CompletionStage<?> extend = lease.extendAsync(Duration.ofSeconds(60));
        CompletionStage<?> locked = guard.async().isLocked("k");
        CompletionStage<?> lookup = guard.async().lookup("k");
        CompletionStage<?> byId = guard.async().lookup(foreign);
        CompletionStage<?> release = guard.async().acquire("n");

        assertUnanswered(acquire);
        assertUnanswered(extend);
        assertUnanswered(locked);
        assertUnanswered(lookup);
        assertUnanswered(byId);
        assertUnanswered(release);
        assertUnanswered(lease.releaseAsync());
    }

    @Test
    @Rule("FLT-3")
    @DisplayName("m6: after a request that is never answered the line of its key goes on")
    void lineGoesOn() {
        LockOptions patient = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));
        silent = true;
        CompletionStage<Lease> unanswered = guard.async().acquire("k", patient);
        CompletableFuture<Lease> blocking = Driver.BLOCKING.acquire(guard, "k", patient);
        silent = false;

        assertUnanswered(unanswered);
        assertThat(blocking)
                .succeedsWithin(SOON)
                .satisfies(lease -> assertThat(lease.isValid()).isTrue());
    }

    @Test
    @Rule("FLT-3")
    @DisplayName("m6: closing a lease whose release is never answered ends, and frees the key in the background")
    void closingEnds() {
        Lease lease = guard.acquire("k");
        silent = true;

        assertThat(lease.closeAsync()).succeedsWithin(SOON);

        assertThat(store.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }
}
