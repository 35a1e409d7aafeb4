package dev.syncguard.memory;

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

/** Stages that are complete already: memory never makes a caller wait. */
final class MemoryAsync implements AsyncLockBackend {

    private final LockBackend backend;

    MemoryAsync(LockBackend backend) {
        this.backend = backend;
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

    private static <T> CompletionStage<T> stage(Supplier<T> call) {
        try {
            return CompletableFuture.completedStage(call.get());
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
