package dev.syncguard.internal;

/**
 * When a lease is renewed next: each time a third of what is left has passed, and at once if it was handed over and lasts
 * for its claim only.
 *
 * <p>Renewals never shorten (decision E2), so one that is not answered soon need not be waited for: the next one is sent
 * after a third of what is left then, and several attempts fit before the deadline however short the ttl.
 */
abstract class RenewalPlan {

    private static final long MILLI = 1_000_000;
    private static final long LONGEST_PAUSE = 1000 * MILLI;
    private static final int MOST_UNANSWERED = 4;
    private static final int MOST_BLOCKED = 2;

    final LeaseContext context;
    final LeaseState state;
    final LeaseLoss loss;
    final boolean renews;

    /** How many replacing extensions are under way: renewals pause. */
    int replacing;

    /** How many renewals are under way. */
    int unanswered;

    private long renewAt;

    RenewalPlan(LeaseContext context, LeaseState state, LeaseLoss loss) {
        this.context = context;
        this.state = state;
        this.loss = loss;
        this.renews = state.options().isAutoExtend() || state.isUnconfirmed();
    }

    /** Plans the next renewal from the believed deadline. */
    final void plan() {
        long now = context.clock().now();
        long left = state.deadline() - now;
        renewAt = state.isUnconfirmed() ? now : now + Math.max(0, pace(left) / 3);
        if (state.options().isAutoExtend() && isHeldLongEnough(now, left)) {
            loss.limitReached();
        }
    }

    /** A lock that was granted for its minimum is looked after as often as its ttl says: a loss must not go unnoticed for long. */
    private long pace(long left) {
        return state.options().holdAtLeast().isEmpty()
                ? left
                : Math.min(left, state.term().ttl().nanos());
    }

    /** Returns whether the lease lasts as long as it may be held: it is not renewed then. */
    private boolean isHeldLongEnough(long now, long left) {
        return leftToHold(now) <= Math.max(0, left);
    }

    final long leftToHold(long now) {
        return state.options()
                .holdAtMost()
                .map(limit -> limit.toNanos() - state.heldNanos(now))
                .orElse(Long.MAX_VALUE);
    }

    /** Returns how long until the next renewal or the deadline, whichever is first. */
    final long untilNextLook(long now) {
        long left = state.deadline() - now;
        return isRenewing(now, left) ? Math.min(left, renewAt - now) : left;
    }

    /** Returns whether it is time to renew. */
    final boolean isDue(long now) {
        return renewAt - now <= 0 && isRenewing(now, state.deadline() - now);
    }

    private boolean isRenewing(long now, long left) {
        boolean wanted = state.options().isAutoExtend() && !isHeldLongEnough(now, left);
        return replacing == 0 && (wanted || state.isUnconfirmed());
    }

    /** A renewal is due: plans the one after it; returns whether it may be sent, and then counts it as under way. */
    final boolean takeTurn(long now, boolean waits) {
        boolean sends = unanswered < mostUnanswered() && !waits;
        unanswered += sends ? 1 : 0;
        renewAt = now + Math.max(MILLI, pace(state.deadline() - now) / 3);
        return sends;
    }

    /** On a store that can only block, each occupies a thread that other leases need. */
    private int mostUnanswered() {
        return context.async().queues() ? MOST_BLOCKED : MOST_UNANSWERED;
    }

    /** A renewal has failed: the next one does not wait for its third. */
    final void renewSoon() {
        long pause = Math.min(LONGEST_PAUSE, Math.max(MILLI, state.term().ttl().nanos() / 20));
        long soon = context.clock().now() + pause;
        if (renewAt - soon > 0) {
            renewAt = soon;
        }
    }
}
