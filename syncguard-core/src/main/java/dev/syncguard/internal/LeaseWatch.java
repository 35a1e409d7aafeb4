package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.Ttl;
import org.jspecify.annotations.Nullable;

/** Looks at a lease when its {@link RenewalPlan} says so: renews it, and notices when its deadline passes. */
final class LeaseWatch extends LeaseTimer {

    private final LeaseRenewal renewal;
    private boolean warned;

    LeaseWatch(LeaseContext context, LeaseState state, LeaseLoss loss) {
        super(context, state, loss);
        this.renewal = new LeaseRenewal(context, state, loss);
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

    @Override
    boolean look() {
        long now = context.clock().look();
        if (state.isOver(now)) {
            loss.notice(dueAt());
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
            due = isRunning() && isDue(now);
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
            renewal.send(new LeaseRenewal.Due(term, now, dueAt(), repeated), leftToHold(now), this::answered);
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
