package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one lease in time. One timer is set at any time until the lease ends: for the next renewal or the deadline,
 * whichever is first. It and the plan are read and changed under {@link #lock} only.
 */
abstract class LeaseTimer extends RenewalPlan {

    private static final long AGAIN = 10_000_000;

    final ReentrantLock lock = new ReentrantLock();
    private boolean started;
    private boolean stopped;
    private long dueAt;
    private Timekeeper.@Nullable Task timer;

    LeaseTimer(LeaseContext context, LeaseState state, LeaseLoss loss) {
        super(context, state, loss);
    }

    /** Looks at the lease; returns whether the next look is provided for. */
    abstract boolean look();

    /** Starts the timer, and the renewals if the options ask for them; does nothing the second time. */
    final void start() {
        state.whenEnded(this::stop); // first, so that a start that fails is undone when the lease is given up
        lock.lock();
        try {
            if (!started && !stopped) {
                if (renews) {
                    context.async().retainUpkeep();
                }
                startTimer();
            }
        } finally {
            lock.unlock();
        }
    }

    private void startTimer() {
        started = true;
        try {
            plan();
            arm();
        } catch (Throwable e) {
            started = false; // another start may succeed
            if (renews) {
                context.async().releaseUpkeep();
            }
            throw e;
        }
    }

    private void stop() {
        lock.lock();
        try {
            if (started && !stopped && renews) {
                context.async().releaseUpkeep();
            }
            stopped = true;
            cancelTimer();
        } finally {
            lock.unlock();
        }
    }

    final boolean isRunning() {
        return !stopped;
    }

    /** When the timer is due, to tell how late it is. */
    final long dueAt() {
        return dueAt;
    }

    /** Sets the timer; one that is set stays until the next one is. */
    private void arm() {
        if (started && !stopped) {
            Timekeeper.Task before = timer;
            long now = context.clock().now();
            long delay = untilNextLook(now);
            dueAt = now + Math.max(0, delay);
            timer = context.time().schedule(Math.max(0, delay), this::timeUp);
            Cancelling.quietly(before);
        }
    }

    /** Sets the timer once more in the middle of something that must not fail because of it. */
    final void armAgain() {
        boolean armed = tryArm();
        if (!armed) {
            armed = tryArm();
        }
        if (!armed) {
            context.reports().debug("a timer could not be set, the one before it stays");
        }
    }

    /** Returns whether the timer is set; if not, memory is used up, perhaps only for a moment. */
    final boolean tryArm() {
        try {
            arm();
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private void cancelTimer() {
        Cancelling.quietly(timer);
        timer = null;
    }

    private void timeUp() {
        while (!tryLook() && state.isHeld()) {
            LockSupport.parkNanos(this, AGAIN); // the timers of other leases cannot be set now either
        }
    }

    /** Returns whether the next look is provided for: without one nothing else would renew the lease or notice its end. */
    private boolean tryLook() {
        try {
            return look();
        } catch (Throwable e) {
            return false;
        }
    }
}
