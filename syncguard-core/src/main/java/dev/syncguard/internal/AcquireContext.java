package dev.syncguard.internal;

import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * What all acquires of a guard share.
 *
 * @param label who holds what they get, if that is told
 * @param handOver the queues of the store, if it has any
 */
record AcquireContext(
        Store store,
        AsyncStore async,
        GuardClock clock,
        Timekeeper time,
        WaitingRoom room,
        InFlight inFlight,
        FenceMemory fences,
        Leases leases,
        LeakDetector leaks,
        Compensations compensations,
        Completion completion,
        Reports reports,
        LeaseContext leaseContext,
        @Nullable String label,
        @Nullable HandOver handOver) {}
