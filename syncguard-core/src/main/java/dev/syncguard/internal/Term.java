package dev.syncguard.internal;

import dev.syncguard.Ttl;

/**
 * How long a lease is trusted, as of one grant or extension.
 *
 * @param deadline when the holder stops to trust it
 * @param expiresAtMs when it ends by the store's clock
 * @param ttl for how long it is renewed
 * @param generation counts the replacing extensions that were sent
 * @param longestNanos how long after the grant the store may keep the lock, by all that was asked of it
 * @param pendingMs the shortest ttl of the replacing extensions that were never answered; {@link #NONE} if all were
 */
record Term(long deadline, long expiresAtMs, Ttl ttl, int generation, long longestNanos, long pendingMs) {

    static final long NONE = Long.MAX_VALUE;

    Term until(long newDeadline, long newExpiresAtMs, Ttl newTtl) {
        return new Term(newDeadline, newExpiresAtMs, newTtl, generation, longestNanos, pendingMs);
    }

    /** The next generation, which ends by the given time. */
    Term cappedAt(long latest) {
        long sooner = latest - deadline < 0 ? latest : deadline;
        return new Term(sooner, expiresAtMs, ttl, generation + 1, longestNanos, pendingMs);
    }

    Term storedFor(long nanos) {
        return new Term(deadline, expiresAtMs, ttl, generation, Math.max(longestNanos, nanos), pendingMs);
    }

    Term pending(long ms) {
        return new Term(deadline, expiresAtMs, ttl, generation, longestNanos, Math.min(pendingMs, ms));
    }

    /** Returns how much of what the store confirmed may be trusted. */
    long trusted(long remainingMs) {
        return Math.min(remainingMs, pendingMs);
    }
}
