package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of every lease of a guard share.
 *
 * @param disposeTimeout how long closing a lease may take, if limited
 * @param clockWatch looks at the store's clock; null if the clients' clocks decide
 */
record LeaseContext(
        Store store,
        AsyncStore async,
        GuardClock clock,
        Timekeeper time,
        InFlight inFlight,
        Compensations compensations,
        Completion completion,
        Reports reports,
        LeaseEvents events,
        LeakDetector leaks,
        @Nullable Duration disposeTimeout,
        @Nullable ServerClockWatch clockWatch) {

    /** Compares the store's clock, as of an answer, with this one's. */
    void observeClock(long storeMs, long sent, long answered) {
        if (clockWatch != null) {
            clockWatch.observe(storeMs, sent, answered, clock.suspendedNanos());
        }
    }
}
