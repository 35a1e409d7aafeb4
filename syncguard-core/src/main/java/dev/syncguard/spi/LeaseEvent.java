package dev.syncguard.spi;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * One step in the life of a lease, or of the acquire before it. Raw: an observer sanitises what it passes on.
 *
 * @param type what happened
 * @param key the key
 * @param lockId the lock id; null for {@link Type#WAITED} without a grant
 * @param nanos how long: the wait for {@code WAITED}, {@code GRANTED} and {@code NOT_GRANTED}, the round trip for
 *     {@code RENEWED}, the time held for {@code RELEASED}, {@code RELEASE_FAILED} and {@code LOST}
 * @param remainingShare how much of the ttl was left, from 0 to 1: at the release for {@code RELEASED}, before the renewal
 *     for {@code RENEWED}; otherwise 0
 * @param failure why: the failure of a renewal, a wait or a release, or the loss; null if it went well
 * @param disposal for {@code RELEASE_FAILED} whether the end of a block released (close, run, call), not the application
 * @param fence the fence, for {@code GRANTED} only
 */
public record LeaseEvent(
        Type type,
        LockKey key,
        @Nullable LockId lockId,
        long nanos,
        double remainingShare,
        @Nullable LockException failure,
        boolean disposal,
        @Nullable Fence fence) {

    /** What happened to a lease. */
    public enum Type {
        /** An acquire that met contention ended, with a grant or with the failure. */
        WAITED,
        /**
         * The store granted a lease. If its caller has cancelled meanwhile, it is released: {@code RELEASED} follows, and
         * {@code NOT_GRANTED} too, unless the acquire had already ended with this grant.
         */
        GRANTED,
        /** An acquire ended without a lease: with the failure, or as contended if there is none. */
        NOT_GRANTED,
        /** A renewal ended, with success or with the failure. */
        RENEWED,
        /**
         * The holder released the lease while it was valid. So it is for a lock that stays locked for its minimum (see
         * {@link dev.syncguard.LockOptions#holdAtLeast}): the store was asked for an extension then, not for a release.
         */
        RELEASED,
        /** A release failed; it is repeated in the background. */
        RELEASE_FAILED,
        /** The lease was lost before its holder released it. */
        LOST
    }

    /**
     * Creates an event that is about neither a disposal nor a grant.
     *
     * @param type what happened
     * @param key the key
     * @param lockId the lock id, if there is one
     * @param nanos how long
     * @param remainingShare how much of the ttl was left
     * @param failure why, if it did not go well
     */
    public LeaseEvent(
            Type type,
            LockKey key,
            @Nullable LockId lockId,
            long nanos,
            double remainingShare,
            @Nullable LockException failure) {
        this(type, key, lockId, nanos, remainingShare, failure, false, null);
    }
}
