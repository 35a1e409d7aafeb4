package dev.syncguard;

import java.time.Duration;

/**
 * How a waiting acquire polls: the effective policy of {@link LockOptions}.
 *
 * @param timeout how long to wait in all
 * @param maxRetries how many polls may follow the first attempt; wake-ups are not counted
 * @param delay the delay before the first poll, before jitter
 * @param maxDelay the cap of the delay
 * @param backoff how the delay grows
 * @param jitter how much of the delay is random
 * @param retryStoreErrors whether transient failures of the store are polled through, too
 */
public record RetryPolicy(
        Duration timeout,
        int maxRetries,
        Duration delay,
        Duration maxDelay,
        Backoff backoff,
        Jitter jitter,
        boolean retryStoreErrors) {

    private static final long SHORTEST_NANOS = 1_000_000;

    /**
     * Returns the delay before a poll.
     *
     * @param poll the number of the poll, from 0
     * @param random a random number from 0 (inclusive) to 1 (exclusive)
     * @return nanoseconds
     */
    public long delayNanos(int poll, double random) {
        double full = (double) delay.toNanos();
        if (backoff == Backoff.EXPONENTIAL) {
            full *= Math.pow(2, Math.min(poll, 62));
        }
        full = Math.min(full, (double) maxDelay.toNanos());
        double jittered = switch (jitter) {
            case EQUAL -> full / 2 + random * full / 2;
            case FULL -> random * full;
            case NONE -> full;
        };
        return Math.max(SHORTEST_NANOS, (long) jittered);
    }
}
