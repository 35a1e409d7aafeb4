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

    /** Begins the minimum of a grant that has just arrived; null if none was asked for. */
    static @Nullable Minimum begin(LockOptions options, GuardClock clock) {
        Duration least = options.holdAtLeast().orElse(null);
        return least == null ? null : begin(new Ttl(least.toMillis()), clock);
    }

    /** Begins a minimum now. */
    static Minimum begin(Ttl least, GuardClock clock) {
        return new Minimum(clock.monotonic() + least.nanos());
    }

    /** Returns for how long to acquire: the minimum survives the death of its holder. */
    static Ttl ttl(LockOptions options) {
        Duration least = options.holdAtLeast().orElse(null);
        return least == null || least.toMillis() <= options.ttl().millis() ? options.ttl() : new Ttl(least.toMillis());
    }

    /** Returns the rest of a minimum; null if there is none. */
    static @Nullable Ttl rest(@Nullable Minimum minimum, GuardClock clock) {
        return minimum == null ? null : minimum.left(clock.monotonic());
    }

    /** Returns the rest, in milliseconds that were rounded up; null if less than one is left. */
    @Nullable
    Ttl left(long now) {
        long nanos = end - now;
        return nanos < MILLI ? null : new Ttl((nanos + MILLI - 1) / MILLI);
    }
}
