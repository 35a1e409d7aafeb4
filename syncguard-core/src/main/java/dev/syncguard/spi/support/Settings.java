package dev.syncguard.spi.support;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks the settings of a backend, in the builder method that takes them: the stack trace of a refusal then leads to the
 * line that made the mistake.
 */
public final class Settings {

    private static final Duration SHORTEST_COMMAND_TIMEOUT = Duration.ofMillis(10);
    private static final Duration LONGEST_COMMAND_TIMEOUT = Duration.ofMinutes(10);

    private Settings() {}

    /**
     * Refuses null.
     *
     * @param <T> the type of the setting
     * @param name what the setting is called
     * @param value what a caller gave
     * @return the same value
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is null
     */
    public static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw new LockException(Code.INVALID_ARGUMENT, name + " must not be null");
        }
        return value;
    }

    /**
     * Checks how long one operation may take, the same on every backend.
     *
     * @param timeout 10 ms to 10 minutes
     * @return the same timeout
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is null or out of range
     */
    public static Duration commandTimeout(@Nullable Duration timeout) {
        return between("commandTimeout", timeout, SHORTEST_COMMAND_TIMEOUT, LONGEST_COMMAND_TIMEOUT);
    }

    /**
     * Checks a duration.
     *
     * @param name what the setting is called
     * @param value what a caller gave
     * @param shortest the shortest one that is allowed
     * @param longest the longest one that is allowed
     * @return the same duration
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is null or out of range
     */
    public static Duration between(String name, @Nullable Duration value, Duration shortest, Duration longest) {
        Duration given = required(name, value);
        if (given.compareTo(shortest) < 0 || given.compareTo(longest) > 0) {
            throw new LockException(
                    Code.INVALID_ARGUMENT, name + " must be between " + text(shortest) + " and " + text(longest));
        }
        return given;
    }

    private static String text(Duration duration) {
        return duration.toMinutes() > 0 ? duration.toMinutes() + " minutes" : duration.toMillis() + " ms";
    }
}
