package dev.syncguard.memory;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
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
    public CompletionStage<ReleaseOutcome> release(LockId lockId, AbortSignal signal) {
        return stage(() -> backend.release(lockId, signal));
    }

    @Override
    public CompletionStage<ExtendOutcome> extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return stage(() -> backend.extend(lockId, ttl, signal));
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
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
