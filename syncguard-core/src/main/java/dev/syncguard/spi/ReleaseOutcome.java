package dev.syncguard.spi;

/** What a release gave. */
public enum ReleaseOutcome {
    /** The lock was live, and this call removed it. */
    RELEASED,
    /** The lock had expired before. */
    EXPIRED,
    /** The store has no lock with this lock id. */
    NOT_FOUND
}
