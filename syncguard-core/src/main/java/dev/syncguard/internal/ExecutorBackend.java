package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Asynchronous operations for a backend that has none: blocking calls on bounded executors. */
final class ExecutorBackend implements AsyncLockBackend {

    private final LockBackend backend;
    private final Workers workers;

    ExecutorBackend(LockBackend backend, Workers workers) {
        this.backend = backend;
        this.workers = workers;
    }

    @Override
    public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
        return submit(workers.acquires(), () -> backend.acquire(request, signal));
    }

    @Override
    public CompletionStage<ReleaseOutcome> release(LockId lockId, AbortSignal signal) {
        return submit(workers.upkeep(), () -> backend.release(lockId, signal));
    }

    @Override
    public CompletionStage<ExtendOutcome> extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return submit(workers.upkeep(), () -> backend.extend(lockId, ttl, signal));
    }

    @Override
    public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return submit(workers.acquires(), () -> backend.isLocked(key, signal));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return submit(workers.acquires(), () -> backend.findByKey(key, signal));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return submit(workers.acquires(), () -> backend.findById(lockId, signal));
    }

    private static <T> CompletionStage<T> submit(Executor executor, Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call, executor);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedStage(new LockException(
                    Code.RATE_LIMITED, "too many asynchronous operations are queued, or the guard is closed", e));
        }
    }
}
