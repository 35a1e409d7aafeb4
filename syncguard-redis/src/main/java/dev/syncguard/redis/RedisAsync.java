package dev.syncguard.redis;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations on the driver's own asynchronous I/O. */
final class RedisAsync implements AsyncLockBackend {

    private final RedisExecutor executor;
    private final RedisRequests requests;
    private final @Nullable ReplicaAcks acks;

    RedisAsync(RedisExecutor executor, RedisRequests requests, @Nullable ReplicaAcks acks) {
        this.executor = executor;
        this.requests = requests;
        this.acks = acks;
    }

    @Override
    public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
        return submit(
                signal,
                () -> acks == null
                        ? executor.submit(requests.acquire(request))
                        : acks.acquire(requests.acquire(request), Granted.class::isInstance));
    }

    @Override
    public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
        return submit(signal, () -> executor.submit(requests.release(request)));
    }

    @Override
    public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
        return submit(
                signal,
                () -> acks == null
                        ? executor.submit(requests.extend(request))
                        : acks.extend(requests.extend(request), Extended.class::isInstance));
    }

    @Override
    public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return submit(signal, () -> executor.submit(requests.isLocked(key)));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return submit(signal, () -> executor.submit(requests.findByKey(key)));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return submit(signal, () -> executor.submit(requests.findById(lockId)));
    }

    /** Failures of the arguments are in the stage, too. */
    private static <T> CompletionStage<T> submit(AbortSignal signal, Supplier<CompletionStage<T>> operation) {
        try {
            signal.throwIfAborted();
            return operation.get();
        } catch (LockException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
