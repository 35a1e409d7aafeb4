package dev.syncguard.internal;

import dev.syncguard.Ttl;

/** How long a holder trusts its lease: its local deadline always precedes the store's expiry. */
final class Deadlines {

    private static final long MILLI = 1_000_000;
    private static final long CLOCK_SLEW = 1000;

    private Deadlines() {}

    /**
     * Returns the local deadline of a grant or a replacing extension.
     *
     * <p>Counted from before the request was sent, so that it is never later than the store's expiry; a thousandth of the ttl
     * is taken off because two clocks may run at slightly different rates.
     *
     * @param dispatched the time before the request was sent
     * @param ttl what was asked for
     * @param remainingMs what the store says remains, less than the ttl for a repeated acquire
     */
    static long of(long dispatched, Ttl ttl, long remainingMs) {
        return dispatched + Math.min(ttl.millis(), remainingMs) * MILLI - ttl.nanos() / CLOCK_SLEW;
    }

    /** Returns the local deadline of an extension that never shortens: what remains may be more than was asked for. */
    static long lasting(long dispatched, long remainingMs) {
        long remaining = remainingMs * MILLI;
        return dispatched + remaining - remaining / CLOCK_SLEW;
    }
}
