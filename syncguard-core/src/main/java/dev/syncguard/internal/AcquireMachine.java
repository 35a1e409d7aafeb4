package dev.syncguard.internal;

import dev.syncguard.RetryPolicy;

/**
 * Decides what one acquire does next, from replies, news and the time. No thread, no future, no I/O: a driver calls it, one
 * call at a time, and does what it says. A single attempt is the same machine with a policy that does not wait.
 *
 * <p>Each request belongs to the whole line, if the acquire is in one; when the next one is due is for {@link AcquireTimes}.
 */
final class AcquireMachine extends AcquireTimes {

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

    private final Waiter waiter;
    private boolean first = true;
    private boolean slept;
    private boolean askAtOnce;
    private boolean aborted;
    private boolean closed;
    private boolean asking;
    private boolean calledBack;
    private boolean requestIsPoll;
    private boolean waitsForTurn;
    private int requests;

    /**
     * Creates the machine of one acquire, which makes a single attempt unless it joins a line.
     *
     * @param graceNanos how long after its timeout a waiter that has never asked may wait for its turn to ask
     */
    AcquireMachine(RetryPolicy policy, Waiter waiter, long now, long graceNanos) {
        super(policy, now, graceNanos);
        this.waiter = waiter;
    }

    /** The waiter has joined a line. */
    void joined(Line joined) {
        enter(joined);
        first = joined.isFirst(waiter);
        if (!first) {
            followFromNow();
        }
    }

    int requests() {
        return requests;
    }

    /** Returns whether the acquire has waited for anything but a reply. */
    boolean hasSlept() {
        return slept;
    }

    /** Takes the news and decides. */
    Step next(long now, int news) {
        hear(now, news);
        Step step = decide(elapsedNanos(now));
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
            pollNow(now);
        }
    }

    private Step decide(long elapsed) {
        boolean over = isOver(elapsed);
        if (asking) {
            return closed || aborted || isTooLateAfter(elapsed) ? Step.CALL_BACK : Step.AWAIT_REPLY;
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
        boolean due = over || (first && (askAtOnce || isDue(elapsed)));
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

    private void beginRequest(long elapsed) {
        requestIsPoll = takePoll(elapsed) && !askAtOnce;
        askAtOnce = false;
        asking = true;
        limitRequest(requests == 0 ? elapsed : 0);
        requests++;
    }

    /** The request was answered with contention, or failed in a way that is worth a repetition. */
    void contended(long now, long grantableInMs) {
        ended(now);
        planAfterContention(now, grantableInMs);
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

    /** Returns how long to sleep unless news arrive. */
    long wakeInNanos(long now) {
        return untilNextLook(elapsedNanos(now), waitsForTurn);
    }
}
