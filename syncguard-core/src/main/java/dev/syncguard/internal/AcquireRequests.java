package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LeaseEvent;
import org.jspecify.annotations.Nullable;

/**
 * The lock id of one acquire, the requests made with it, and what becomes of a grant.
 *
 * <p>The id exists before the first request and stays the same, so that a request whose outcome is unknown can be repeated
 * or taken back, and never grants twice.
 */
abstract class AcquireRequests extends Waiter {

    final AcquireContext context;
    final LockKey key;
    final LockOptions options;
    final AcquireMachine machine;
    final LockId lockId;

    private long sent;
    private FenceMemory.@Nullable Seen seenBefore;

    /** How many requests may still arrive although their outcome is unknown. */
    int unanswered;

    /** Draws the lock id. */
    AcquireRequests(AcquireContext context, LockKey key, LockOptions options) {
        this.context = context;
        this.key = key;
        this.options = options;
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

    /** Returns the thread that will hold the lease, or a negative number that spreads leases of no thread. */
    abstract long threadId(LockId id);

    /** Prepares a request; its lease counts from the given time, which is not after now. */
    final AcquireRequest request(long now) {
        seenBefore = context.fences().recall(key);
        Line line = machine.line();
        boolean willWait = line != null && line.expectsSignals();
        sent = now;
        return new AcquireRequest(key, lockId, Minimum.ttl(options), willWait, context.label());
    }

    /** The request is given up although it may be carried out: what it is granted goes back. */
    final void abandon() {
        unanswered++;
    }

    /** Turns a grant into a lease; whatever is wrong with it, it is taken back. */
    final LeaseHandle granted(Granted grant) {
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
        if (state.isOver(now)) {
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
        try {
            if (context.reports().isObserved()) {
                tellGranted(grant.fence(), now);
            }
            lease.start();
            context.leaks().track(handle, state);
            context.leaseContext().observeClock(grant.expiresAtMs() - grant.remainingMs(), sent, now);
        } catch (Throwable e) {
            state.giveUp(LeaseState.GivenUp.UNOBSERVED);
            context.leases().remove(state);
            throw e;
        }
        return handle;
    }

    /** Before the lease can be lost, so that its end never comes first. */
    private void tellGranted(Fence fence, long now) {
        long waited = machine.elapsedNanos(now);
        if (machine.hasSlept()) {
            context.reports().event(LeaseEvent.Type.WAITED, key, lockId, waited, 0, null);
        }
        context.reports().event(new LeaseEvent(LeaseEvent.Type.GRANTED, key, lockId, waited, 0, null, false, fence));
    }

    final void takeBack(boolean granted) {
        context.compensations().takeBack(key, lockId, Minimum.ttl(options).nanos(), granted, unanswered);
    }
}
