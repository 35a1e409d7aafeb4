package dev.syncguard.benchmarks.harness;

/** What a candidate can do. */
public enum Skill {
    /** Acquire and release on the caller's thread. */
    CYCLE,
    /** The same without a thread. */
    ASYNC,
    /** Wait for a key that somebody else holds. */
    WAIT
}
