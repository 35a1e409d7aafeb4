package dev.syncguard.internal;

import dev.syncguard.RetryPolicy;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * When one acquire asks next, when its request is late, and when its time or its retries are used up.
 *
 * <p>Times are nanoseconds of the guard's clock; inside they are counted from the start, so that they never overflow.
 */
abstract class AcquireTimes {

    private static final long MILLI = 1_000_000;

    private final RetryPolicy policy;
    private final long start;
    private final int graceMs;
    private int pollsAtEntry;

    /** The line that the waiter has joined; null if it makes a single attempt. */
    @Nullable
    Line line;

    private boolean nextIsPoll;
    private boolean exhausted;
    private long delay;
    private long nextAt;
    private long callBackAt;
    private int backoffs;

    AcquireTimes(RetryPolicy policy, long now, long graceNanos) {
        this.policy = policy;
        this.start = now;
        this.graceMs = (int) Math.min(Integer.MAX_VALUE, graceNanos / MILLI);
    }

    /** Returns whether an acquire with this policy waits at all. */
    static boolean isPatient(RetryPolicy policy) {
        return policy.timeout().toNanos() > 0 && policy.maxRetries() > 0;
    }

    /** Returns the line that the waiter has joined; null if it makes a single attempt. */
    @Nullable
    final Line line() {
        return line;
    }

    final long startedAt() {
        return start;
    }

    final long elapsedNanos(long now) {
        return now - start;
    }

    /** Returns how long the acquire waits from now on. */
    final long leftNanos(long now) {
        return timeout() - elapsedNanos(now);
    }

    final void enter(Line joined) {
        line = joined;
        pollsAtEntry = joined.polls();
    }

    /** Polls at the pace of this waiter's policy, beginning now, although another one asks. */
    final void followFromNow() {
        delay = pollDelay(0);
        nextAt = delay;
    }

    /** Keeps the line at this waiter's pace although another one asks; returns whether its retries are used up. */
    final boolean followOthers(long elapsed) {
        if (line == null || elapsed < nextAt) {
            return false;
        }
        if (pollsMade() >= policy.maxRetries()) {
            exhausted = true;
            return true;
        }
        long lastRequest = line.lastRequestAt() - start;
        boolean quiet = elapsed - lastRequest >= delay;
        if (quiet) {
            line.poll();
        }
        backoffs++;
        delay = pollDelay(backoffs);
        nextAt = (quiet ? elapsed : lastRequest) + delay;
        return false;
    }

    final boolean isOver(long elapsed) {
        return elapsed >= timeout() || exhausted;
    }

    final boolean isDue(long elapsed) {
        return elapsed >= nextAt;
    }

    /** How long a waiter that has never asked waits for its turn to ask, beyond its timeout. */
    final long patience() {
        return timeout() + graceMs * MILLI;
    }

    private long timeout() {
        return policy.timeout().toNanos();
    }

    private int pollsMade() {
        return line == null ? 0 : line.polls() - pollsAtEntry;
    }

    // ---- requests

    /** A request begins: returns whether a poll is due, which is taken care of by it. */
    final boolean takePoll(long elapsed) {
        boolean due = nextIsPoll && isDue(elapsed);
        nextIsPoll = false;
        return due;
    }

    /** Sets when a request is late, which begins now: later than its acquire if others held that up until now. */
    final void limitRequest(long heldUp) {
        callBackAt = timeout() + (heldUp > 0 ? graceFor(heldUp) : 0);
    }

    /**
     * Returns how long beyond the timeout a waiter's only request may wait for a thread: the longer, the longer others held
     * it up. One that could ask at once gets nothing, so that its limit holds whatever the threads do.
     */
    private long graceFor(long heldUp) {
        double share = Math.min(1.0, (double) heldUp / Math.max(1, timeout()));
        return (long) (share * (patience() - timeout()));
    }

    /** Returns whether a request that is under way is beyond the limit of its acquire. */
    final boolean isTooLate(long now) {
        return isTooLateAfter(now - start);
    }

    final boolean isTooLateAfter(long elapsed) {
        return line != null && elapsed >= callBackAt;
    }

    /** Returns how long until a request that is not sent yet is called back. */
    final long untilCallBackNanos(long now) {
        return Math.max(0, callBackAt - (now - start));
    }

    // ---- what is next

    /** A poll of the line is due: this waiter makes it, now. */
    final void pollNow(long now) {
        nextIsPoll = true;
        nextAt = Math.min(nextAt, now - start);
    }

    final void planAfterContention(long now, long grantableInMs) {
        // Grantable times are whole milliseconds that were cut off: look one millisecond later.
        plan(now, Math.max(0, Math.min(grantableInMs, Long.MAX_VALUE / MILLI - 1)) * MILLI + MILLI);
        exhausted |= line == null || (nextIsPoll && pollsMade() >= policy.maxRetries());
    }

    /** Plans the next request: when the lock can be had by expiry, or a poll before that. */
    final void plan(long now, long untilExpiry) {
        long poll = pollDelay(pollsMade());
        nextIsPoll = poll < untilExpiry;
        nextAt = now - start + Math.min(poll, untilExpiry);
    }

    private long pollDelay(int polls) {
        return policy.delayNanos(polls, ThreadLocalRandom.current().nextDouble());
    }

    final long untilNextLook(long elapsed, boolean waitsForTurn) {
        long until = isOver(elapsed) ? patience() : waitsForTurn ? timeout() : Math.min(timeout(), nextAt);
        return Math.max(0, until - elapsed);
    }
}
