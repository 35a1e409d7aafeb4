package dev.syncguard.internal;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.LeaseEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends one renewal after the other and reads their answers; when they are due is for {@link LeaseWatch} to say. */
final class LeaseRenewal {

    private static final long MILLI = 1_000_000;

    private final LeaseContext context;
    private final LeaseState state;
    private final LeaseLoss loss;
    private volatile SendGate gate = SendGate.SENT;

    LeaseRenewal(LeaseContext context, LeaseState state, LeaseLoss loss) {
        this.context = context;
        this.state = state;
        this.loss = loss;
    }

    /**
     * A renewal that is to be sent now.
     *
     * @param term as it was when this was decided on
     * @param dueAt when the timer was due
     * @param repeated whether an earlier renewal is not answered
     */
    record Due(Term term, long now, long dueAt, boolean repeated) {

        /** The share of the ttl that is left. */
        private double share() {
            return Math.min(1, (double) (term.deadline() - now) / term.ttl().nanos());
        }
    }

    /** Returns whether the last renewal still waits for a thread: a second one would only wait behind it. */
    boolean isWaiting() {
        return gate.isWaiting();
    }

    /** Sends a renewal; its failure, or null, goes to the given consumer when its answer has been dealt with. */
    void send(Due due, long mostNanos, Consumer<@Nullable LockException> answered) {
        Term term = due.term;
        long millis = Math.max(1, Math.min(term.ttl().millis(), mostNanos / MILLI));
        Ttl ttl = new Ttl(millis);
        state.asking(ttl, due.now);
        ExtendRequest request = new ExtendRequest(state.lockId(), state.key(), ttl, Mode.AT_LEAST);
        SendGate sending = new SendGate();
        gate = sending;
        Stages.whenDone(context.async().renew(request, term.deadline(), due.repeated, sending), (outcome, failure) -> {
            LockException failed = failure == null ? null : Failures.translate(failure, state.key(), state.lockId());
            try {
                read(outcome, failed, due);
            } finally {
                answered.accept(failed);
            }
            context.leaks().report();
        });
    }

    private void read(@Nullable ExtendOutcome outcome, @Nullable LockException failed, Due sent) {
        if (outcome instanceof Extended extended) {
            extended(extended, sent);
        } else if (outcome instanceof NotExtended refusal) {
            loss.gone(refusal == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.GONE);
        } else if (failed != null) {
            loss.renewalFailed(failed, sent.now);
            if (failed.outcomeUnknown()) {
                loss.extendedLate(true);
            }
        }
        if (state.isHeld()) {
            long nanos = context.clock().now() - sent.now;
            context.reports().event(LeaseEvent.Type.RENEWED, state.key(), state.lockId(), nanos, sent.share(), failed);
        }
    }

    private void extended(Extended extended, Due sent) {
        context.observeClock(
                extended.expiresAtMs() - extended.remainingMs(),
                sent.now,
                context.clock().now());
        loss.notice(sent.dueAt);
        if (state.isHeld()) {
            state.prolonged(extended, sent.now, sent.term.generation());
            loss.renewed();
        } else if (state.isLost()) {
            // Lost meanwhile, and prolonged for no one.
            context.compensations().repeatRelease(state, extended.remainingMs() * MILLI);
        } else {
            loss.extendedLate(false);
        }
    }
}
