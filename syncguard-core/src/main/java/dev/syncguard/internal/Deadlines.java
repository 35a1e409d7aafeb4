package dev.syncguard.internal;

import dev.syncguard.spi.Ttl;

/** How long a holder trusts its lease. */
final class Deadlines {

    private static final long MILLI = 1_000_000;
    private static final long CLOCK_SLEW = 1000;

    private Deadlines() {}

    /**
     * Returns the local deadline of a grant or extension.
     *
     * <p>Counted from before the request was sent, so that it is never later than the store's; a thousandth of the ttl is
     * taken off because two clocks may run at slightly different rates.
     *
     * @param dispatched the monotonic time before the request was sent
     * @param ttl what was asked for
     * @param remainingMs what the store says remains, less than the ttl for a repeated acquire
     * @return the deadline on the same clock
     */
    static long of(long dispatched, Ttl ttl, long remainingMs) {
        return dispatched + Math.min(ttl.millis(), remainingMs) * MILLI - ttl.nanos() / CLOCK_SLEW;
    }
}
