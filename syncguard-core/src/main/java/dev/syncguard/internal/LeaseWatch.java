package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.Ttl;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a lease when its {@link RenewalPlan} says so: renews it, and notices when its deadline passes.
 *
 * <p>One timer is set at any time until {@link #stop()}: for the next renewal or the deadline, whichever is first. The plan
 * is read and changed under the lock of the watch only.
 */
final class LeaseWatch extends RenewalPlan {

    private static final long AGAIN = 10_000_000;

    private final LeaseRenewal renewal;
    private final ReentrantLock lock = new ReentrantLock();

    private boolean started;
    private boolean stopped;
    private boolean warned;
    private long dueAt;
    private Timekeeper.@Nullable Task timer;

    LeaseWatch(LeaseContext context, LeaseState state, LeaseLoss loss) {
        super(context, state, loss);
        this.renewal = new LeaseRenewal(context, state, loss);
    }

    /** Starts the timer, and the renewals if the options ask for them; does nothing the second time. */
    void start() {
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
            if (started && !stopped && state.options().isAutoExtend()) {
                context.async().releaseUpkeep();
            }
            stopped = true;
            cancelTimer();
        } finally {
            lock.unlock();
        }
    }

    /** When the timer is due, to tell how late it is. */
    long dueAt() {
        return dueAt;
    }

    /**
     * A replacing extension is about to be sent: renewals pause, and the term is capped. Both in one step, so that a renewal
     * that was decided on before it belongs to the generation before it, however late it is sent.
     *
     * @return the new generation of the term
     */
    int replacing(Ttl ttl, long dispatched) {
        lock.lock();
        try {
            int generation = state.replacing(ttl, dispatched);
            replacing++;
            armAgain();
            return generation;
        } finally {
            lock.unlock();
        }
    }

    void replaced() {
        lock.lock();
        try {
            replacing--;
            plan();
            armAgain();
        } finally {
            lock.unlock();
        }
    }

    /** Sets the timer; one that is set stays until the next one is. */
    private void arm() {
        if (started && !stopped) {
            Timekeeper.Task before = timer;
            long now = context.clock().now();
            long delay = untilNextLook(now);
            dueAt = now + Math.max(0, delay);
            timer = context.time().schedule(Math.max(0, delay), this::timeUp);
            if (before != null) {
                before.cancel();
            }
        }
    }

    /** Sets the timer once more in the middle of something that must not fail because of it. */
    private void armAgain() {
        boolean armed = tryArm();
        if (!armed) {
            armed = tryArm();
        }
        if (!armed) {
            context.reports().debug("a timer could not be set, the one before it stays");
        }
    }

    /** Returns whether the timer is set; if not, memory is used up, perhaps only for a moment. */
    private boolean tryArm() {
        try {
            arm();
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
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

    private boolean look() {
        long now = context.clock().look();
        if (now - state.deadline() >= 0) {
            loss.notice(dueAt);
            if (!state.isHeld()) {
                return true;
            }
        }
        boolean armed;
        boolean due;
        boolean waits;
        boolean repeated;
        Term term;
        lock.lock();
        try {
            repeated = unanswered > 0;
            term = state.term();
            due = !stopped && isDue(now);
            waits = due && renewal.isWaiting();
            if (due) {
                due = takeTurn(now, waits);
            }
            armed = tryArm();
        } finally {
            lock.unlock();
        }
        if (waits) {
            context.async().growUpkeep();
        }
        if (due) {
            renew(term, now, repeated);
        }
        return armed;
    }

    private void renew(Term term, long now, boolean repeated) {
        try {
            renewal.send(new LeaseRenewal.Due(term, now, dueAt, repeated), leftToHold(now), this::answered);
        } catch (Throwable e) {
            notSent();
            throw e;
        }
    }

    /** A renewal that no answer will come to: it must not count for ever. */
    private void notSent() {
        lock.lock();
        try {
            unanswered--;
        } finally {
            lock.unlock();
        }
    }

    private void answered(@Nullable LockException failed) {
        boolean warn;
        lock.lock();
        try {
            unanswered--;
            warn = failed != null && !warned;
            warned = failed != null;
            if (failed == null) {
                plan();
            } else {
                renewSoon();
            }
            armAgain();
        } finally {
            lock.unlock();
        }
        if (warn && failed != null) {
            context.reports()
                    .warn("a lease of key " + state.key().hash()
                            + " could not be renewed, trying again until it expires: " + failed.getMessage());
        }
    }
}
