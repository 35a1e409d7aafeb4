package dev.syncguard.spi;

/**
 * The one predicate that says whether a lock is live, for every backend.
 *
 * <p>Contenders and observers give a lock {@link #TIME_TOLERANCE_MS} beyond its end; owners do not: they trust a lease for
 * less time than the others respect it.
 */
public final class Liveness {

    /** How long after its end a lock still counts as live for everybody but its owner. */
    public static final long TIME_TOLERANCE_MS = 1000;

    private Liveness() {}

    /**
     * Tells whether a lock is live for contenders and observers: acquire, release, isLocked and find.
     *
     * @param expiresAtMs the stored end
     * @param nowMs the backend's time
     * @return whether it is live, tolerance included
     */
    public static boolean isLive(long expiresAtMs, long nowMs) {
        return expiresAtMs > nowMs - TIME_TOLERANCE_MS;
    }

    /**
     * Tells whether a lock is live for its owner: extend, and a repeated acquire with the same lock id.
     *
     * @param expiresAtMs the stored end
     * @param nowMs the backend's time
     * @return whether it is live, without tolerance
     */
    public static boolean isStrictlyLive(long expiresAtMs, long nowMs) {
        return expiresAtMs > nowMs;
    }

    /**
     * Returns how long until a lock stops being live for contenders, for the answer of a refused acquire.
     *
     * @param expiresAtMs the stored end
     * @param nowMs the backend's time
     * @return milliseconds, at least 0
     */
    public static long grantableInMs(long expiresAtMs, long nowMs) {
        return Math.max(0, expiresAtMs + TIME_TOLERANCE_MS - nowMs);
    }
}
