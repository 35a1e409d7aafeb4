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
 */
public record AcquireRequest(
        LockKey key,
        LockId lockId,
        Ttl ttl,
        boolean willWait,
        @Nullable String label) {

    /**
     * Creates an attempt without a label.
     *
     * @param key the key
     * @param lockId the identity of the grant
     * @param ttl how long the lock lasts unless extended
     * @param willWait whether the caller will wait if refused
     */
    public AcquireRequest(LockKey key, LockId lockId, Ttl ttl, boolean willWait) {
        this(key, lockId, ttl, willWait, null);
    }

    /** Returns a text that is safe to log. */
    @Override
    public String toString() {
        return "AcquireRequest[key=" + key + ", ttl=" + ttl + ", willWait=" + willWait + "]";
    }
}
