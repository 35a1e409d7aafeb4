package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Contended;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ConflictException;
import dev.syncguard.spi.LeaseEvent;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One acquire: a lock id, the requests made with it, and what becomes of their replies. What differs between callers that
 * block and callers that do not is in the two subclasses.
 *
 * <p>The id exists before the first request and stays the same, so that a request whose outcome is unknown can be repeated
 * or taken back, and never grants twice.
 */
abstract class Acquire extends Waiter {

    final AcquireContext context;
    final LockKey key;
    final AbortSignal signal;
    final AcquireMachine machine;
    private final LockOptions options;
    private final LockId lockId;
    private final boolean contentionIsResult;

    private long sent;
    private FenceMemory.@Nullable Seen seenBefore;
    private int unanswered;
    private boolean inFlight;
    private long grantableInMs;
    private @Nullable LockException lastFailure;

    /**
     * Draws the lock id.
     *
     * @param contentionIsResult whether running out of time gives {@link Contended} instead of an exception
     */
    Acquire(AcquireContext context, LockKey key, LockOptions options, AbortSignal signal, boolean contentionIsResult) {
        this.context = context;
        this.key = key;
        this.options = options;
        this.signal = Objects.requireNonNull(signal, "signal");
        this.contentionIsResult = contentionIsResult;
        this.lockId = newLockId(context.store(), key);
        this.machine = new AcquireMachine(
                options.retryPolicy(),
                this,
                context.clock().look(),
                context.store().commandTimeoutNanos());
    }

    private static LockId newLockId(Store store, LockKey key) {
        try {
            return Store.call(key, null, () -> store.backend().newLockId(key));
        } catch (LockException e) {
            throw Failures.forCaller(e);
        }
    }

    /** Joins the line of the key, if the acquire waits. From now on {@link #finish} is due. */
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

    /** Returns the thread that will hold the lease, or a negative number that spreads leases of no thread. */
    abstract long threadId(LockId id);

    /** The request is given up although it may be carried out: what it is granted goes back. */
    final void abandon() {
        unanswered++;
    }

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

    /** Prepares a request; its lease counts from the given time, which is not after now. */
    final AcquireRequest request(long now) {
        seenBefore = context.fences().recall(key);
        Line line = machine.line();
        boolean willWait = line != null && line.expectsSignals();
        sent = now;
        return new AcquireRequest(key, lockId, Minimum.ttl(options), willWait, context.label());
    }

    /** Takes the reply; returns a lease if there is one. */
    final @Nullable LeaseHandle replied(AcquireOutcome outcome) {
        if (outcome instanceof Granted grant) {
            return granted(grant);
        }
        long now = context.clock().now();
        grantableInMs = ((Refused) outcome).grantableInMs();
        lastFailure = null;
        machine.contended(now, grantableInMs);
        Line line = machine.line();
        if (line != null) {
            contended();
            context.room().subscribe(key, line);
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

    /** Turns a grant into a lease; whatever is wrong with it, it is taken back. */
    private LeaseHandle granted(Granted grant) {
        try {
            long now = context.clock().look(); // the machine may have been suspended during the request
            LeaseHandle lease = admit(grant, now);
            machine.ended(now);
            return lease;
        } catch (LockException e) {
            takeBack(true);
            throw e.about(key, lockId);
        } catch (Throwable e) {
            takeBack(true);
            throw e;
        }
    }

    private LeaseHandle admit(Granted grant, long now) {
        if (!grant.lockId().equals(lockId)) {
            throw new LockException(Code.INTERNAL, "the store answered for another lock id", null, true);
        }
        Minimum minimum = Minimum.begin(options, context.clock());
        LeaseState state =
                new LeaseState(context.clock(), key, options, grant, sent, unanswered, threadId(lockId), minimum);
        if (now - state.deadline() >= 0) {
            throw new LockException(Code.NETWORK_TIMEOUT, "the grant arrived after its lease had expired", null, true);
        }
        context.fences().check(seenBefore, key, lockId, grant.fence());
        context.fences().remember(key, lockId, grant.fence());
        return hold(state, grant, now);
    }

    private LeaseHandle hold(LeaseState state, Granted grant, long now) {
        HeldLease lease = new HeldLease(context.leaseContext(), state);
        context.leases().add(lease);
        LeaseHandle handle = new LeaseHandle(lease);
        if (context.reports().isObserved()) {
            tellGranted(grant.fence(), now);
        }
        try {
            lease.start();
            context.leaks().track(handle, state);
        } catch (Throwable e) {
            state.giveUp(LeaseState.GivenUp.UNOBSERVED);
            context.leases().remove(state);
            throw e;
        }
        context.leaseContext().observeClock(grant.expiresAtMs() - grant.remainingMs(), sent, now);
        return handle;
    }

    // ---- the end

    final boolean isCancelled() {
        return signal.isAborted();
    }

    final LockException aborted() {
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
            context.room().leave(key, line, this, lease == null ? null : lease.state());
        }
    }

    /** Takes back what may have been granted to no one, and tells of the end. Never throws. */
    final void finish(@Nullable LeaseHandle lease, @Nullable Throwable failure) {
        if (lease == null && unanswered > 0) {
            takeBack(false);
        } else {
            context.compensations().restartStuck();
        }
        if (lease == null && inFlight && context.reports().isObserved()) {
            tellNotGranted(failure);
        }
    }

    /** Before the lease can be lost, so that its end never comes first. */
    private void tellGranted(Fence fence, long now) {
        long waited = machine.elapsedNanos(now);
        if (machine.hasSlept()) {
            context.reports().event(LeaseEvent.Type.WAITED, key, lockId, waited, 0, null);
        }
        context.reports().event(new LeaseEvent(LeaseEvent.Type.GRANTED, key, lockId, waited, 0, null, false, fence));
    }

    private void tellNotGranted(@Nullable Throwable failure) {
        long waited = machine.elapsedNanos(context.clock().now());
        LockException failed = failure == null ? null : Failures.ofAcquire(failure, key, lockId);
        if (machine.hasSlept()) {
            context.reports().event(LeaseEvent.Type.WAITED, key, null, waited, 0, failed);
        }
        context.reports().event(LeaseEvent.Type.NOT_GRANTED, key, lockId, waited, 0, failed);
    }

    final void takeBack(boolean granted) {
        context.compensations().takeBack(key, lockId, Minimum.ttl(options).nanos(), granted, unanswered);
    }
}
