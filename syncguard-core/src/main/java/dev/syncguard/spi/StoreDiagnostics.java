package dev.syncguard.spi;

import dev.syncguard.AbortSignal;
import java.util.List;

/** Looks for settings of the store that break what a lock promises. */
public interface StoreDiagnostics {

    /**
     * Looks at the store.
     *
     * @param signal cancels before a request is sent
     * @return what was found, including what is as it should be
     */
    List<Finding> inspect(AbortSignal signal);

    /** How bad a finding is. */
    enum Level {
        /** As it should be. */
        OK,
        /** Could not be read, for example on a managed service. */
        UNKNOWN,
        /** The promise holds, but less than it could. */
        WARN,
        /** The promise does not hold. */
        DANGER
    }

    /**
     * One thing that was looked at.
     *
     * @param id its stable name, for example {@code redis.eviction}
     * @param level how bad it is
     * @param message what was found and what it breaks
     * @param fix what to do; empty if nothing
     */
    record Finding(String id, Level level, String message, String fix) {}
}
