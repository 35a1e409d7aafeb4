package dev.syncguard;

/** How a backend finds the next fence of a key. */
public enum FenceMode {
    /** The last fence plus one; the first fence of a key is 1. Relies on the store to keep its counters. */
    COUNTER,
    /**
     * The last fence plus one, but at least the store's time in milliseconds. Stays increasing even if the store loses its
     * counters, as long as its clock is not behind the last fence and a key is granted less than once a millisecond on
     * average.
     */
    TIME_FLOORED
}
