package dev.syncguard.spi;

/** What an extension gave. */
public sealed interface ExtendOutcome {

    /**
     * The lock was live and lasts longer now.
     *
     * @param expiresAtMs when it expires, by the backend's time authority
     * @param remainingMs how long that is from the moment the store answered
     */
    record Extended(long expiresAtMs, long remainingMs) implements ExtendOutcome {}

    /** The lock was not live any more, and nothing was changed. */
    enum NotExtended implements ExtendOutcome {
        /** The lock had expired before. */
        EXPIRED,
        /** The store has no lock with this lock id. */
        NOT_FOUND
    }
}
