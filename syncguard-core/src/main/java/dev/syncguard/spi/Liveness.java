package dev.syncguard.spi;

/**
 * The one predicate that says whether a lock is live, for every backend.
 *
 * <p>Contenders and observers give a lock {@link #TIME_TOLERANCE_MS} beyond its expiry; owners do not: they trust a lease for
 * less time than the others respect it.
 */
public final class Liveness {

    /** How long after its expiry a lock still counts as live for all but its owner. */
    public static final long TIME_TOLERANCE_MS = 1000;

    /** How long ago a lock must have expired before {@code isLocked} may remove it: no extension can be under way then. */
    public static final long CLEANUP_GUARD_MS = 2 * TIME_TOLERANCE_MS;

    private Liveness() {}

    /**
     * Returns whether a lock expired so long ago that {@code isLocked} may remove it (LCK-3).
     *
     * @param expiresAtMs the stored expiry
     * @param nowMs the backend's time
     * @return whether the guard has passed
     */
    public static boolean isRemovable(long expiresAtMs, long nowMs) {
        return nowMs - expiresAtMs > CLEANUP_GUARD_MS;
    }

    /**
     * Returns whether a lock is live for contenders and observers: acquire, release, isLocked and find.
     *
     * @param expiresAtMs the stored expiry
     * @param nowMs the backend's time
     * @return whether it is live, tolerance included
     */
    public static boolean isLive(long expiresAtMs, long nowMs) {
        return expiresAtMs > nowMs - TIME_TOLERANCE_MS;
    }

    /**
     * Returns whether a lock is live for its owner: extend, and a repeated acquire with the same lock id.
     *
     * @param expiresAtMs the stored expiry
     * @param nowMs the backend's time
     * @return whether it is live, without tolerance
     */
    public static boolean isStrictlyLive(long expiresAtMs, long nowMs) {
        return expiresAtMs > nowMs;
    }

    /**
     * Returns how long until a lock stops being live for contenders, for the answer of a refused acquire.
     *
     * @param expiresAtMs the stored expiry
     * @param nowMs the backend's time
     * @return milliseconds, at least 0
     */
    public static long grantableInMs(long expiresAtMs, long nowMs) {
        return Math.max(0, expiresAtMs + TIME_TOLERANCE_MS - nowMs);
    }
}
