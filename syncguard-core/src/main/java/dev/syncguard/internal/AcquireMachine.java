package dev.syncguard.internal;

import dev.syncguard.RetryPolicy;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Decides what one acquire does next, from replies, news and the time. No thread, no future, no I/O: a driver calls it, one
 * call at a time, and does what it says. A single attempt is the same machine with a policy that does not wait.
 *
 * <p>Times are nanoseconds of the guard's clock; inside they are counted from the start, so that they never overflow.
 */
final class AcquireMachine {

    /** What the driver does next. */
    enum Step {
        /** Send the request; report its reply. */
        ASK,
        /** Nothing until {@link #wakeInNanos} has passed or news arrive. */
        SLEEP,
        /** Nothing until the reply arrives. */
        AWAIT_REPLY,
        /** Call the request back if it has not been sent; report that, or go on waiting for its reply. */
        CALL_BACK,
        /** Give up because the time or the retries are used up. */
        TIMED_OUT,
        /** Give up because the caller cancelled. */
        ABORTED,
        /** Give up because the guard is closing. */
        CLOSED
    }

    private static final long MILLI = 1_000_000;

    private final RetryPolicy policy;
    private final long start;
    private final Waiter waiter;
    private final int graceMs;
    private @Nullable Line line;
    private int pollsAtEntry;

    private boolean first = true;
    private boolean slept;
    private boolean askAtOnce;
    private boolean aborted;
    private boolean closed;
    private boolean asking;
    private boolean calledBack;
    private boolean requestIsPoll;
    private boolean nextIsPoll;
    private boolean exhausted;
    private boolean waitsForTurn;
    private long delay;
    private long nextAt;
    private long callBackAt;
    private int backoffs;
    private int requests;

    /**
     * Creates the machine of one acquire, which makes a single attempt unless it joins a line.
     *
     * @param graceNanos how long after its timeout a waiter that has never asked may wait for its turn to ask
     */
    AcquireMachine(RetryPolicy policy, Waiter waiter, long now, long graceNanos) {
        this.policy = policy;
        this.start = now;
        this.waiter = waiter;
        this.graceMs = (int) Math.min(Integer.MAX_VALUE, graceNanos / MILLI);
    }

    /** The waiter has joined a line. */
    void joined(Line joined) {
        line = joined;
        pollsAtEntry = joined.polls();
        first = joined.isFirst(waiter);
        if (!first) {
            delay = pollDelay(0);
            nextAt = delay;
        }
    }

    /** Returns the line that the waiter has joined; null if it makes a single attempt. */
    @Nullable
    Line line() {
        return line;
    }

    /** Returns whether an acquire with this policy waits at all. */
    static boolean isPatient(RetryPolicy policy) {
        return policy.timeout().toNanos() > 0 && policy.maxRetries() > 0;
    }

    long startedAt() {
        return start;
    }

    int requests() {
        return requests;
    }

    /** Returns whether the acquire has waited for anything but a reply. */
    boolean hasSlept() {
        return slept;
    }

    long elapsedNanos(long now) {
        return now - start;
    }

    /** Takes the news and decides. */
    Step next(long now, int news) {
        hear(now, news);
        Step step = decide(now - start);
        slept |= step == Step.SLEEP;
        if ((news & Waiter.YOUR_REQUEST) != 0 && step != Step.ASK && line != null) {
            line.passOn();
        }
        return step;
    }

    private void hear(long now, int news) {
        aborted |= (news & Waiter.CANCELLED) != 0;
        closed |= (news & Waiter.CLOSED) != 0;
        if ((news & Waiter.PROMOTED) != 0 && !first) {
            first = true;
            long behind = line == null ? 0 : line.heldNanos();
            if (behind > 0) {
                plan(now, behind);
            } else {
                askAtOnce = true;
            }
        }
        if (first && (news & Waiter.WOKEN) != 0) {
            askAtOnce = true;
        }
        if (first && (news & Waiter.POLL_DUE) != 0 && !asking) {
            nextIsPoll = true;
            nextAt = Math.min(nextAt, now - start);
        }
    }

    private Step decide(long elapsed) {
        boolean over = elapsed >= timeout() || exhausted;
        if (asking) {
            boolean late = line != null && elapsed >= callBackAt;
            return closed || aborted || late ? Step.CALL_BACK : Step.AWAIT_REPLY;
        }
        if (closed) {
            return Step.CLOSED;
        }
        if (aborted) {
            return Step.ABORTED;
        }
        if (over && (requests > 0 || calledBack)) {
            return Step.TIMED_OUT;
        }
        if (!first && !over) {
            over = followOthers(elapsed);
        }
        boolean due = over || (first && (askAtOnce || elapsed >= nextAt));
        waitsForTurn = due && !mayAsk();
        if (due && !waitsForTurn) {
            beginRequest(elapsed);
            return Step.ASK;
        }
        return elapsed >= patience() ? Step.TIMED_OUT : Step.SLEEP;
    }

    private boolean mayAsk() {
        return line == null || line.tryAsk(waiter);
    }

    /** Keeps the line at this waiter's pace although another one asks; returns whether its retries are used up. */
    private boolean followOthers(long elapsed) {
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

    private long timeout() {
        return policy.timeout().toNanos();
    }

    /** How long a waiter that has never asked waits for its turn to ask, beyond its timeout. */
    private long patience() {
        return timeout() + graceMs * MILLI;
    }

    private int pollsMade() {
        return line == null ? 0 : line.polls() - pollsAtEntry;
    }

    private void beginRequest(long elapsed) {
        requestIsPoll = nextIsPoll && elapsed >= nextAt && !askAtOnce;
        nextIsPoll = false;
        askAtOnce = false;
        asking = true;
        callBackAt = timeout() + (requests == 0 ? graceFor(elapsed) : 0);
        requests++;
    }

    /**
     * Returns how long beyond the timeout a waiter's only request may wait for a thread: the longer, the longer others held
     * it up. One that could ask at once gets nothing, so that its limit holds whatever the threads do.
     */
    private long graceFor(long heldUp) {
        double share = Math.min(1.0, (double) heldUp / Math.max(1, timeout()));
        return (long) (share * (patience() - timeout()));
    }

    /** The request was answered with contention, or failed in a way that is worth a repetition. */
    void contended(long now, long grantableInMs) {
        ended(now);
        // Grantable times are whole milliseconds that were cut off: look one millisecond later.
        plan(now, Math.max(0, Math.min(grantableInMs, Long.MAX_VALUE / MILLI - 1)) * MILLI + MILLI);
        exhausted |= line == null || (nextIsPoll && pollsMade() >= policy.maxRetries());
    }

    /** The request was called back before it was sent. */
    void calledBack(long now) {
        calledBack = true;
        requests--;
        ended(now);
    }

    /** The request has ended, and with it the acquire. */
    void ended(long now) {
        asking = false;
        if (line != null) {
            line.asked(waiter, now, requestIsPoll);
        }
    }

    private void plan(long now, long untilExpiry) {
        long poll = pollDelay(pollsMade());
        nextIsPoll = poll < untilExpiry;
        nextAt = now - start + Math.min(poll, untilExpiry);
    }

    private long pollDelay(int polls) {
        return policy.delayNanos(polls, ThreadLocalRandom.current().nextDouble());
    }

    /** Returns whether a request that is under way is beyond the limit of its acquire. */
    boolean isTooLate(long now) {
        return line != null && now - start >= callBackAt;
    }

    /** Returns how long until a request that is not sent yet is called back. */
    long untilCallBackNanos(long now) {
        return Math.max(0, callBackAt - (now - start));
    }

    /** Returns how long to sleep unless news arrive. */
    long wakeInNanos(long now) {
        long elapsed = now - start;
        boolean overdue = elapsed >= timeout() || exhausted;
        long until = overdue ? patience() : waitsForTurn ? timeout() : Math.min(timeout(), nextAt);
        return Math.max(0, until - elapsed);
    }
}
