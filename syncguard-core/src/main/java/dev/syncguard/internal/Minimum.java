package dev.syncguard.internal;

import dev.syncguard.LockOptions;
import dev.syncguard.Ttl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock stays locked at least, however soon its holder releases it (decision E11).
 *
 * <p>It counts from when the grant arrived. The store granted earlier, so it is never undercut. It goes by the monotonic clock
 * alone: a time of day that is set forward costs a lease, but must not cost a minimum.
 *
 * @param end when it is over, by {@link GuardClock#monotonic()}
 */
record Minimum(long end) {

    private static final long MILLI = 1_000_000;

    static @Nullable Minimum of(LockOptions options, long answered) {
        Duration least = options.holdAtLeast().orElse(null);
        return least == null ? null : new Minimum(answered + least.toNanos());
    }

    /** Returns for how long to acquire: the minimum survives the death of its holder. */
    static Ttl ttl(LockOptions options) {
        long least = options.holdAtLeast().map(Duration::toMillis).orElse(0L);
        return least > options.ttl().millis() ? new Ttl(least) : options.ttl();
    }

    /** Returns the rest, in milliseconds that were rounded up; null if less than one is left. */
    @Nullable
    Ttl left(long now) {
        long nanos = end - now;
        return nanos < MILLI ? null : new Ttl((nanos + MILLI - 1) / MILLI);
    }
}
