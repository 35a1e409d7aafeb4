package dev.syncguard.internal;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.LockException;
import dev.syncguard.RetryPolicy;
import dev.syncguard.spi.LockKey;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * When one waiting acquire asks the store next, and when it gives up. Only arithmetic: no clock, no thread.
 *
 * <p>Times are nanoseconds since the start of the call, so that they never overflow.
 */
final class Patience {

    private static final long MILLI = 1_000_000;

    private final RetryPolicy policy;
    private final long start;
    private final long timeout;

    private long nextAttempt;
    private boolean nextIsPoll;
    private int polls;
    private int attempts;

    Patience(RetryPolicy policy, long now) {
        this.policy = policy;
        this.start = now;
        this.timeout = policy.timeout().toNanos();
    }

    /** Tells whether to wait at all. Who does not wait makes one attempt and does not queue. */
    boolean isPatient() {
        return timeout > 0 && policy.maxRetries() > 0;
    }

    boolean hasAsked() {
        return attempts > 0;
    }

    /** Returns the time to the next attempt; not positive if it is due. */
    long untilAttempt(long now) {
        return nextAttempt - (now - start);
    }

    /** Returns the time to the end of the patience; not positive if it is over. */
    long untilTimeout(long now) {
        return timeout - (now - start);
    }

    /** An attempt begins: it counts as a poll unless something woke the waiter before the poll was due. */
    void attempting(long now) {
        if (nextIsPoll && untilAttempt(now) <= 0) {
            polls++;
        }
        nextIsPoll = false;
        attempts++;
    }

    /** The store refused or failed: the next attempt is a poll, or comes when the holder's time is up. */
    void refused(long now, long grantableInMs) {
        long poll = pollDelay();
        // Grantable times are whole milliseconds that were cut off: look one millisecond later.
        long expiry = Math.max(0, Math.min(grantableInMs, Long.MAX_VALUE / MILLI - 1)) * MILLI + MILLI;
        schedule(now, poll, expiry);
    }

    /** The turn came to this waiter because another one of this process got the lock, for the given time. */
    void behindHolder(long now, long holderNanos) {
        schedule(now, pollDelay(), Math.max(0, holderNanos));
    }

    private long pollDelay() {
        return policy.delayNanos(polls, ThreadLocalRandom.current().nextDouble());
    }

    private void schedule(long now, long poll, long expiry) {
        nextIsPoll = poll < expiry;
        nextAttempt = now - start + Math.min(poll, expiry);
    }

    /** Tells whether no further attempt is allowed, after a refusal. */
    boolean isExhausted() {
        return !isPatient() || (nextIsPoll && polls >= policy.maxRetries());
    }

    AcquisitionTimeoutException timeout(LockKey key, long now, @Nullable LockException lastFailure) {
        return new AcquisitionTimeoutException(key, attempts, Duration.ofNanos(now - start), lastFailure);
    }
}
