package dev.syncguard.tck;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The operations of a backend as stages that are complete already. */
class SmallAsync implements AsyncLockBackend {

    private final LockBackend backend;

    SmallAsync(LockBackend backend) {
        this.backend = backend;
    }

    <T> CompletionStage<T> stage(Supplier<T> operation) {
        try {
            return CompletableFuture.completedStage(operation.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    @Override
    public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
        return stage(() -> backend.acquire(request, signal));
    }

    @Override
    public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
        return stage(() -> backend.release(request, signal));
    }

    @Override
    public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
        return stage(() -> backend.extend(request, signal));
    }

    @Override
    public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return stage(() -> backend.isLocked(key, signal));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return stage(() -> backend.findByKey(key, signal));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return stage(() -> backend.findById(lockId, signal));
    }
}
