package dev.syncguard.spring;

import dev.syncguard.AcquisitionTimeoutException;

/** What a {@link Locked} method does if its lock is not free in time. */
public enum OnContention {
    /** Throws {@link AcquisitionTimeoutException}. */
    THROW,
    /** Does nothing and returns null, an empty {@code Optional}, an empty {@code Mono} or {@code Flux}, or a stage with null. */
    SKIP
}
