package dev.syncguard.benchmarks.harness;

/** What a candidate stands for. */
public enum Role {
    /** This library. */
    OURS,
    /** The least that the work costs: the bare driver. */
    FLOOR,
    /** Another library. */
    PEER
}
