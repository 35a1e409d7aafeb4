package dev.syncguard.spi;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The operations of {@link LockBackend} without a blocked thread; the same rules hold.
 *
 * <p>Methods do not block and do not throw: every failure is in the stage, as a {@link dev.syncguard.LockException}. Stages
 * may complete on a thread of the driver.
 */
public interface AsyncLockBackend {

    /**
     * Tries once to get a lock.
     *
     * @param request what to lock
     * @param signal cancels before the request is sent
     * @return as {@link LockBackend#acquire}
     */
    CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal);

    /**
     * Releases a lock.
     *
     * @param request whose lock to release
     * @param signal cancels before the request is sent
     * @return as {@link LockBackend#release(ReleaseRequest, AbortSignal)}
     */
    CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal);

    /**
     * Extends a lock.
     *
     * @param request whose lock to extend
     * @param signal cancels before the request is sent
     * @return as {@link LockBackend#extend(ExtendRequest, AbortSignal)}
     */
    CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal);

    /**
     * Returns whether a key is locked.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return as {@link LockBackend#isLocked}
     */
    CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal);

    /**
     * Finds the live lock of a key.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return as {@link LockBackend#findByKey}
     */
    CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal);

    /**
     * Finds the live lock of a lock id.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return as {@link LockBackend#findById}
     */
    CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal);
}
