package dev.syncguard;

/** How much of the delay between two polls is random, so that waiters do not poll in step. */
public enum Jitter {
    /** Half of it. */
    EQUAL,
    /** All of it. */
    FULL,
    /** Nothing. */
    NONE
}
