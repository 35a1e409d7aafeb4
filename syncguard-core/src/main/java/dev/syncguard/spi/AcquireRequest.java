package dev.syncguard.spi;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a lock. {@link #toString()} hides the label.
 *
 * @param key the key
 * @param lockId the identity of the grant, from {@link LockBackend#newLockId}; a repeated attempt uses the same one
 * @param ttl how long the lock lasts unless extended
 * @param willWait whether the caller has an active {@link ReleaseSignals.Subscription} and will wait if refused, so that
 *     the next release must tell it
 * @param label who holds the lock if it is granted, for operators; stored beside the lock where the store has a place for it
 * @param place where the caller queues if refused, so that a release hands the lock over to it; only for a backend with
 *     {@link HandOver}, and for a caller with an active subscription there
 */
public record AcquireRequest(
        LockKey key,
        LockId lockId,
        Ttl ttl,
        boolean willWait,
        @Nullable String label,
        HandOver.@Nullable Place place) {

    /**
     * Creates an attempt that does not queue.
     *
     * @param key the key
     * @param lockId the identity of the grant
     * @param ttl how long the lock lasts unless extended
     * @param willWait whether the caller will wait if refused
     * @param label who holds the lock if it is granted
     */
    public AcquireRequest(LockKey key, LockId lockId, Ttl ttl, boolean willWait, @Nullable String label) {
        this(key, lockId, ttl, willWait, label, null);
    }

    /**
     * Creates an attempt without a label.
     *
     * @param key the key
     * @param lockId the identity of the grant
     * @param ttl how long the lock lasts unless extended
     * @param willWait whether the caller will wait if refused
     */
    public AcquireRequest(LockKey key, LockId lockId, Ttl ttl, boolean willWait) {
        this(key, lockId, ttl, willWait, null, null);
    }

    /** Returns a text that is safe to log. */
    @Override
    public String toString() {
        return "AcquireRequest[key=" + key + ", ttl=" + ttl + ", willWait=" + willWait + ", place=" + place + "]";
    }
}
