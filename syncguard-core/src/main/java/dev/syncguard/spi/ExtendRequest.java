package dev.syncguard.spi;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import org.jspecify.annotations.Nullable;

/**
 * One extension.
 *
 * @param lockId the identity of the grant
 * @param key the key that the lock id holds, if the caller knows it; see {@link ReleaseRequest#key()}
 * @param ttl the new time to live, from now
 * @param mode whether the extension may shorten the lock
 */
public record ExtendRequest(LockId lockId, @Nullable LockKey key, Ttl ttl, Mode mode) {

    /** Whether an extension may shorten a lock. */
    public enum Mode {
        /** The lock expires {@code ttl} from now, also if it would have expired later: the specification's extend. */
        REPLACE,
        /**
         * The lock expires {@code ttl} from now or when it would have expired anyway, whichever is later. Renewals use it: one
         * that is lost, late or repeated leaves no trace.
         */
        AT_LEAST
    }

    /**
     * Returns when the lock is to expire, for backends that compute it in Java.
     *
     * @param storedMs when it would expire anyway
     * @param nowMs the backend's time
     * @return the new expiry, in milliseconds since the epoch
     */
    public long expiresAtMs(long storedMs, long nowMs) {
        long wantedMs = nowMs + ttl.millis();
        return mode == Mode.AT_LEAST ? Math.max(storedMs, wantedMs) : wantedMs;
    }
}
