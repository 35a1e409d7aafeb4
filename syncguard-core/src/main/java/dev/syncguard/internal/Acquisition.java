package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ConflictException;
import dev.syncguard.spi.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition: a lock id, and the attempts made with it.
 *
 * <p>The id exists before the first attempt and stays the same, so that an attempt whose outcome is unknown can be
 * repeated or taken back, and never grants twice.
 */
final class Acquisition {

    private final Guard guard;
    private final LockKey key;
    private final LockOptions options;
    private final LockId lockId;

    private long dispatched;
    private FenceMemory.@Nullable Seen seenBefore;
    private boolean ambiguous;
    private @Nullable LockException lastFailure;

    Acquisition(Guard guard, LockKey key, LockOptions options) {
        this.guard = guard;
        this.key = key;
        this.options = options;
        this.lockId = guard.store().backend().newLockId(key);
    }

    LockKey key() {
        return key;
    }

    LockOptions options() {
        return options;
    }

    /** Throws if the caller cancelled, by signal or by interrupt; the interrupt flag stays set. */
    void throwIfCancelled(AbortSignal signal) {
        if (isCancelled(signal)) {
            throw aborted();
        }
    }

    boolean isCancelled(AbortSignal signal) {
        return signal.isAborted() || Thread.currentThread().isInterrupted();
    }

    LockException aborted() {
        return new LockException(Code.ABORTED, "the caller cancelled while acquiring").about(key, lockId);
    }

    /** Notes the time before an attempt is sent, and what was known then. */
    AcquireRequest request(boolean willWait) {
        dispatched = guard.time().nanoTime();
        seenBefore = guard.fences().recall(key);
        return new AcquireRequest(key, lockId, options.ttl(), willWait);
    }

    /**
     * Turns a grant into a lease.
     *
     * @throws LockException if the grant came too late, is not ours or has a fence that is too low; it is taken back
     */
    HeldLease admit(Granted granted) {
        try {
            if (!granted.lockId().equals(lockId)) {
                throw new LockException(Code.INTERNAL, "the store answered for another lock id", null, true)
                        .about(key, lockId);
            }
            long deadline = Deadlines.of(dispatched, options.ttl(), granted.remainingMs());
            if (guard.time().nanoTime() - deadline >= 0) {
                throw new LockException(Code.NETWORK_TIMEOUT, "the grant arrived after its lease had ended", null, true)
                        .about(key, lockId);
            }
            guard.ensureOpen();
            guard.fences().check(seenBefore, key, lockId, granted.fence());
            guard.fences().remember(key, lockId, granted.fence());
            return guard.hold(this, granted, dispatched, deadline);
        } catch (RuntimeException e) {
            takeBack();
            throw e;
        }
    }

    /** Notes a failed attempt; true if it was mere contention, or if it may be made again because the options say so. */
    boolean mayRepeat(LockException failure) {
        lastFailure = failure;
        ambiguous |= failure.outcomeUnknown();
        return failure instanceof ConflictException
                || (options.retryPolicy().retryStoreErrors() && failure.code().isTransient());
    }

    AcquisitionTimeoutException timeout(Patience patience, long now) {
        return patience.timeout(key, now, lastFailure);
    }

    /** A single attempt failed. */
    LockException failed(LockException failure) {
        mayRepeat(failure);
        giveUp();
        return failure;
    }

    /** The acquisition ends without a lease: whatever may have been granted is released in the background. */
    void giveUp() {
        if (ambiguous) {
            takeBack();
        }
    }

    private void takeBack() {
        guard.compensations().start(key, lockId, options.ttl());
    }
}
