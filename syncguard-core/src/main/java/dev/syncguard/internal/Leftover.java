package dev.syncguard.internal;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * A lock that no holder has any more, or that may have been granted to none.
 *
 * @param ttlNanos how long the store may keep it
 * @param granted whether the lock is there, and not only may be
 * @param mayArrive how many requests may still arrive, and lock once more
 * @param minimum until when the lock stays locked all the same
 */
record Leftover(
        LockKey key,
        LockId lockId,
        long ttlNanos,
        boolean granted,
        int mayArrive,
        @Nullable Minimum minimum) {

    /** Returns what is left of a lease. */
    static Leftover of(LeaseState lease, long ttlNanos, boolean granted, int mayArrive) {
        return new Leftover(lease.key(), lease.lockId(), ttlNanos, granted, mayArrive, lease.minimum());
    }
}
