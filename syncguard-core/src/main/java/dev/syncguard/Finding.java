package dev.syncguard;

/**
 * One setting of a store that was inspected, see {@link SyncGuard#diagnostics()}.
 *
 * @param id its stable name, for example {@code redis.eviction}
 * @param level how severe it is
 * @param message what was found and what it breaks
 * @param fix what to do; empty if nothing
 */
public record Finding(String id, Level level, String message, String fix) {

    /** How severe a finding is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Could not be read, for example on a managed service. */
        UNKNOWN,
        /** The promise holds, but less than it could. */
        WARN,
        /** The promise does not hold. */
        DANGER
    }
}
