package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Contended;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ConflictException;
import dev.syncguard.spi.LeaseEvent;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One acquire from its begin to its end. What differs between callers that block and callers that do not is in the two
 * subclasses.
 */
abstract class Acquire extends AcquireRequests {

    final AbortSignal signal;
    private final boolean contentionIsResult;

    private boolean inFlight;
    private long grantableInMs;
    private @Nullable LockException lastFailure;

    /**
     * Creates an acquire.
     *
     * @param contentionIsResult whether running out of time gives {@link Contended} instead of an exception
     */
    Acquire(AcquireContext context, LockKey key, LockOptions options, AbortSignal signal, boolean contentionIsResult) {
        super(context, key, options);
        this.signal = Objects.requireNonNull(signal, "signal");
        this.contentionIsResult = contentionIsResult;
    }

    /** Joins the line of the key, if the acquire waits. From now on {@link #leaveLine} is due. */
    final void join() {
        if (AcquireMachine.isPatient(options.retryPolicy())) {
            machine.joined(context.room().enter(key, this, machine.startedAt()));
        }
    }

    final boolean waits() {
        return machine.line() != null;
    }

    /** The store has answered with contention. */
    void contended() {}

    // ---- one request

    /**
     * Counts the acquire as under way, up to {@link #end}, which comes after everything that it may have been granted has an
     * owner or is being taken back: a guard that closes waits for that.
     */
    final void begin() {
        context.inFlight().beginAcquire();
        inFlight = true;
        context.reports().acquiring(key, lockId);
    }

    /** Takes the reply; returns a lease if there is one. */
    final @Nullable LeaseHandle replied(AcquireOutcome outcome) {
        if (outcome instanceof Granted grant && !isClaimOver(grant)) {
            return granted(grant);
        }
        long now = context.clock().now();
        grantableInMs = outcome instanceof Refused refused ? refused.grantableInMs() : 0;
        lastFailure = null;
        machine.contended(now, grantableInMs);
        Line line = machine.line();
        if (line != null) {
            contended();
            if (outcome instanceof Refused) {
                refused();
            }
            context.room().subscribe(key, line);
            if (line.isFirst(this)) {
                queue();
            }
        }
        return null;
    }

    /** Takes the failure of a request; throws it unless it is worth a repetition. */
    final void failed(LockException failure) {
        unanswered += failure.outcomeUnknown() ? 1 : 0;
        boolean worthRepeating = failure instanceof ConflictException
                || (options.retryPolicy().retryStoreErrors() && failure.code().isTransient());
        if (!worthRepeating || !waits()) {
            throw failure;
        }
        lastFailure = failure;
        machine.contended(context.clock().look(), Long.MAX_VALUE);
    }

    /** The acquire is over, and all that belongs to it. */
    final void end() {
        if (inFlight) {
            inFlight = false;
            context.inFlight().end();
        }
    }

    // ---- the end

    /** Returns whether the caller does not want the lock any more. */
    abstract boolean isCancelled();

    /** Returns what the caller and the guard want, as news. */
    final int callerNews() {
        int cancelled = isCancelled() ? CANCELLED : 0;
        return context.inFlight().isClosing() ? cancelled | CLOSED : cancelled;
    }

    /** Returns why a grant goes back; null if the news do not say so. */
    final @Nullable RuntimeException refused(int news) {
        if ((news & CLOSED) != 0) {
            return InFlight.closedException();
        }
        return (news & CANCELLED) != 0 ? aborted() : null;
    }

    private LockException aborted() {
        return new LockException(Code.ABORTED, "the caller cancelled while acquiring").about(key, lockId);
    }

    /** Returns what the machine's decision to give up means to the caller: a result, or an exception. */
    final AcquireResult giveUp(AcquireMachine.Step why) {
        return switch (why) {
            case ABORTED -> throw aborted();
            case CLOSED -> throw InFlight.closedException();
            default -> timedOut();
        };
    }

    private AcquireResult timedOut() {
        if (contentionIsResult && lastFailure == null) {
            return new Contended(Duration.ofMillis(grantableInMs));
        }
        if (contentionIsResult && !waits()) {
            throw Objects.requireNonNull(lastFailure);
        }
        long waited = machine.elapsedNanos(context.clock().now());
        throw new AcquisitionTimeoutException(key, machine.requests(), Duration.ofNanos(waited), lastFailure);
    }

    /** Leaves the line, if the acquire is in one. */
    final void leaveLine(@Nullable LeaseHandle lease) {
        Line line = machine.line();
        if (line != null) {
            endSuccession();
            context.room().leave(key, line, this, lease == null ? null : lease.state());
        }
    }

    /** Takes back what may have been granted to no one, and tells of the end. Never throws. */
    final void notGranted(@Nullable Throwable failure) {
        if (unanswered > 0 || isMaybeQueued()) {
            takeBack(false);
        }
        if (inFlight && context.reports().isObserved()) {
            try {
                tellNotGranted(failure);
            } catch (Throwable e) {
                context.reports()
                        .debug("the end of an acquire could not be told: "
                                + e.getClass().getName());
            }
        }
    }

    private void tellNotGranted(@Nullable Throwable failure) {
        long waited = machine.elapsedNanos(context.clock().now());
        LockException failed = failure == null ? null : Failures.ofAcquire(failure, key, lockId);
        if (machine.hasSlept()) {
            context.reports().event(LeaseEvent.Type.WAITED, key, null, waited, 0, failed);
        }
        context.reports().event(LeaseEvent.Type.NOT_GRANTED, key, lockId, waited, 0, failed);
    }
}
