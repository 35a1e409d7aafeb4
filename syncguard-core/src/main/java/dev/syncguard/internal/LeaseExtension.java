package dev.syncguard.internal;

import dev.syncguard.ExtendResult;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Extends one lease by hand: sends a request when it is its turn, and knows what the answer means. */
final class LeaseExtension extends ExtensionTurns {

    private static final long MILLI = 1_000_000;

    private final LeaseLoss loss;
    private final LeaseWatch watch;

    LeaseExtension(LeaseContext context, LeaseState state, LeaseLoss loss, LeaseWatch watch) {
        super(context, state);
        this.loss = loss;
        this.watch = watch;
    }

    @Override
    ExtendResult ask(Ttl ttl, Mode mode) {
        context.inFlight().begin();
        Request request = null;
        try {
            request = begin(ttl, mode);
            return request == null
                    ? ExtendResult.NOT_EXTENDED
                    : answered(request, context.store().extend(request.toStore()));
        } catch (LockException e) {
            throw Failures.forCaller(failed(e, ttl, mode));
        } finally {
            ended(request);
        }
    }

    @Override
    CompletableFuture<ExtendResult> askAsync(Ttl ttl, Mode mode) {
        try {
            context.inFlight().begin();
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
        Request begun;
        try {
            begun = begin(ttl, mode);
        } catch (Throwable e) {
            ended(null);
            return CompletableFuture.failedFuture(e);
        }
        if (begun == null) {
            ended(null);
            return CompletableFuture.completedFuture(ExtendResult.NOT_EXTENDED);
        }
        return askAsync(begun);
    }

    private CompletableFuture<ExtendResult> askAsync(Request begun) {
        return context.async().extend(begun.toStore()).handle((outcome, failure) -> {
            try {
                if (failure != null) {
                    throw failed(Failures.translate(failure, state.key(), state.lockId()), begun.ttl, begun.mode);
                }
                return answered(begun, outcome);
            } finally {
                ended(begun);
            }
        });
    }

    private record Request(LeaseState state, Ttl ttl, Mode mode, long sent, int generation) {
        ExtendRequest toStore() {
            return new ExtendRequest(state.lockId(), state.key(), ttl, mode);
        }
    }

    /** Prepares a request, whose time counts from now; null if the lease is over. */
    private @Nullable Request begin(Ttl ttl, Mode mode) {
        loss.notice();
        if (!state.isHeld()) {
            return null;
        }
        long sent = context.clock().look();
        state.asking(ttl, sent);
        int generation =
                mode == Mode.REPLACE ? watch.replacing(ttl, sent) : state.term().generation();
        return new Request(state, ttl, mode, sent, generation);
    }

    private void ended(@Nullable Request request) {
        try {
            if (request != null && request.mode == Mode.REPLACE) {
                watch.replaced();
            }
        } finally {
            context.inFlight().end();
        }
    }

    private ExtendResult answered(Request request, ExtendOutcome outcome) {
        if (outcome instanceof NotExtended refusal) {
            loss.gone(refusal == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.GONE);
            return ExtendResult.NOT_EXTENDED;
        }
        Extended extended = (Extended) outcome;
        context.observeClock(
                extended.expiresAtMs() - extended.remainingMs(),
                request.sent,
                context.clock().now());
        loss.notice();
        if (state.isHeld()) {
            if (request.mode == Mode.REPLACE) {
                state.replaced(extended, request.ttl, request.sent, request.generation);
            } else {
                state.prolonged(extended, request.sent, request.generation);
            }
            loss.notice();
        }
        if (state.isHeld()) {
            return new ExtendResult(true, extended.expiresAtMs());
        }
        if (state.isLost()) {
            context.compensations().repeatRelease(state, extended.remainingMs() * MILLI);
            throw about(new LockException(
                    Code.NETWORK_TIMEOUT, "the extension was answered after the lease had ended", null, true));
        }
        loss.extendedLate(false);
        return ExtendResult.NOT_EXTENDED; // released meanwhile
    }

    /** The store may have prolonged the lock of a lease that is lost: for no one. */
    private LockException failed(LockException failure, Ttl ttl, Mode mode) {
        if (failure.outcomeUnknown() && mode == Mode.REPLACE) {
            state.unanswered(ttl);
        }
        loss.notice();
        if (failure.outcomeUnknown() && state.isLost()) {
            context.compensations().repeatRelease(state, ttl.nanos());
        } else if (failure.outcomeUnknown()) {
            loss.extendedLate(true);
        }
        return failure;
    }
}
