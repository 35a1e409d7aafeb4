package dev.syncguard;

/** How the delay between two polls grows. */
public enum Backoff {
    /** It doubles with each poll, up to the cap. */
    EXPONENTIAL,
    /** It stays the same. */
    FIXED
}
