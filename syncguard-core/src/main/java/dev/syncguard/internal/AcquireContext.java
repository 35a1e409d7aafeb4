package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;

/** What all acquires of a guard share. */
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
        LeaseContext leaseContext) {}
