package dev.syncguard;

import dev.syncguard.LockException.Code;
import java.time.Duration;

/**
 * A time to live that is valid by construction.
 *
 * @param millis 1 to 31,536,000,000 (365 days)
 */
public record Ttl(long millis) {

    private static final Duration MAX = Duration.ofDays(365);

    /** The ttl of a lock whose options set none. */
    public static final Ttl DEFAULT = new Ttl(30_000);

    /**
     * Checks the range.
     *
     * @param millis 1 ms to 365 days
     */
    public Ttl {
        if (millis < 1 || millis > MAX.toMillis()) {
            throw invalid();
        }
    }

    /**
     * Checks a duration.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the ttl
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is not allowed
     */
    public static Ttl of(Duration ttl) {
        if (ttl == null || ttl.compareTo(MAX) > 0 || ttl.isNegative() || ttl.toNanosPart() % 1_000_000 != 0) {
            throw invalid();
        }
        return new Ttl(ttl.toMillis());
    }

    private static LockException invalid() {
        return new LockException(Code.INVALID_ARGUMENT, "a ttl is 1 ms to 365 days, in whole milliseconds");
    }

    /**
     * Returns this ttl in nanoseconds.
     *
     * @return nanoseconds
     */
    public long nanos() {
        return millis * 1_000_000;
    }
}
