package dev.syncguard.spi;

import dev.syncguard.Fence;
import dev.syncguard.LockId;

/**
 * A live lock as it stands in the store, raw. {@link #toString()} hides the identifiers.
 *
 * @param key the user's key
 * @param lockId the lock id
 * @param acquiredAtMs when it was granted
 * @param expiresAtMs when it ends
 * @param fence the fence of the grant
 */
public record StoredLock(String key, LockId lockId, long acquiredAtMs, long expiresAtMs, Fence fence) {

    /** Returns a text that is safe to log. */
    @Override
    public String toString() {
        return "StoredLock[fence=" + fence + ", acquiredAtMs=" + acquiredAtMs + ", expiresAtMs=" + expiresAtMs + "]";
    }
}
