package dev.syncguard.tck;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The asynchronous operations of a backend, each awaited, so that the same tests run on them. */
final class JoinedBackend extends BorrowedBackend {

    private final AsyncLockBackend async;

    JoinedBackend(LockBackend backend, AsyncLockBackend async) {
        super(backend);
        this.async = async;
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return join(async.acquire(request, signal));
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return join(async.release(request, signal));
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return join(async.extend(request, signal));
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return join(async.isLocked(key, signal));
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return join(async.findByKey(key, signal));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return join(async.findById(lockId, signal));
    }

    /** Waits for a stage, also while the thread is interrupted. */
    static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture()
                    .copy()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            Throwable cause = e;
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            if (cause instanceof LockException known) {
                throw known;
            }
            throw e;
        }
    }
}
