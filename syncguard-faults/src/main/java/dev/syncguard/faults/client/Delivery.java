package dev.syncguard.faults.client;

import dev.syncguard.AcquireResult;
import dev.syncguard.Lease;

/**
 * What an acquire gave, read at once and on the thread that it was delivered on.
 *
 * @param at when it was delivered
 * @param remaining how long the lease was still good, zero if there is none
 * @param took how long reading that took: a thread that was paused meanwhile cannot tell when the lease ran out
 */
record Delivery(AcquireResult result, long at, long remaining, long took) {

    static Delivery of(AcquireResult result) {
        long at = System.nanoTime();
        long remaining = result instanceof Lease lease ? lease.remaining().toNanos() : 0;
        return new Delivery(result, at, remaining, System.nanoTime() - at);
    }
}
