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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The backend as the rest of the guard sees it: every failure is a {@link LockException} that knows what it is about.
 *
 * <p>Signals stop here: they are checked before a call, and nothing that was sent is given up half-way.
 */
final class Store {

    private final LockBackend backend;
    private final AsyncLockBackend async;

    Store(LockBackend backend, Workers workers) {
        this.backend = backend;
        this.async = backend.async().orElseGet(() -> new ExecutorBackend(backend, workers));
    }

    LockBackend backend() {
        return backend;
    }

    AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return call(request.key(), request.lockId(), () -> backend.acquire(request, signal));
    }

    ReleaseOutcome release(@Nullable LockKey key, LockId lockId) {
        return call(key, lockId, () -> backend.release(lockId, AbortSignal.none()));
    }

    ExtendOutcome extend(@Nullable LockKey key, LockId lockId, Ttl ttl) {
        return call(key, lockId, () -> backend.extend(lockId, ttl, AbortSignal.none()));
    }

    boolean isLocked(LockKey key) {
        return call(key, null, () -> backend.isLocked(key, AbortSignal.none()));
    }

    Optional<StoredLock> findByKey(LockKey key) {
        return call(key, null, () -> backend.findByKey(key, AbortSignal.none()));
    }

    Optional<StoredLock> findById(LockId lockId) {
        return call(null, lockId, () -> backend.findById(lockId, AbortSignal.none()));
    }

    CompletionStage<AcquireOutcome> acquireAsync(AcquireRequest request, AbortSignal signal) {
        return callAsync(request.key(), request.lockId(), () -> async.acquire(request, signal));
    }

    CompletionStage<ReleaseOutcome> releaseAsync(@Nullable LockKey key, LockId lockId) {
        return callAsync(key, lockId, () -> async.release(lockId, AbortSignal.none()));
    }

    CompletionStage<ExtendOutcome> extendAsync(@Nullable LockKey key, LockId lockId, Ttl ttl) {
        return callAsync(key, lockId, () -> async.extend(lockId, ttl, AbortSignal.none()));
    }

    CompletionStage<Boolean> isLockedAsync(LockKey key) {
        return callAsync(key, null, () -> async.isLocked(key, AbortSignal.none()));
    }

    CompletionStage<Optional<StoredLock>> findByKeyAsync(LockKey key) {
        return callAsync(key, null, () -> async.findByKey(key, AbortSignal.none()));
    }

    CompletionStage<Optional<StoredLock>> findByIdAsync(LockId lockId) {
        return callAsync(null, lockId, () -> async.findById(lockId, AbortSignal.none()));
    }

    private static <T> T call(@Nullable LockKey key, @Nullable LockId lockId, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            throw translate(e, key, lockId);
        }
    }

    private static <T> CompletionStage<T> callAsync(
            @Nullable LockKey key, @Nullable LockId lockId, Supplier<CompletionStage<T>> operation) {
        CompletionStage<T> stage;
        try {
            stage = operation.get();
        } catch (RuntimeException e) {
            stage = CompletableFuture.failedStage(e);
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(translate(failure, key, lockId));
            }
        });
        return result;
    }

    /** Returns the failure as a {@link LockException}; what a backend did not classify may have happened. */
    static LockException translate(Throwable failure, @Nullable LockKey key, @Nullable LockId lockId) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof LockException known) {
            return known.about(key, lockId);
        }
        return new LockException(Code.INTERNAL, "the backend failed in a way it does not know", cause, true)
                .about(key, lockId);
    }
}
