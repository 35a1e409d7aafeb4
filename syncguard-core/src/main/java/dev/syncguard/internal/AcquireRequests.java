package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.HandOver.Place;
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
    private @Nullable Succession succession;
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
        Place place = line != null && line.isFirst(this) ? place(now) : null;
        sent = now;
        return new AcquireRequest(key, lockId, Minimum.ttl(options), willWait, context.label(), place);
    }

    private @Nullable Place place(long now) {
        HandOver handOver = context.handOver();
        if (succession == null && handOver != null && Succession.isPossible(handOver, key)) {
            queue();
        }
        return succession == null ? null : succession.place(machine.leftNanos(now), options);
    }

    /** Sees to it that a release hands the lock over to this acquire, if the store can do that. */
    final void queue() {
        if (succession == null && context.handOver() != null) {
            succession = new Succession(context.handOver(), key, lockId, this, context.reports());
        }
        if (succession != null) {
            succession.subscribe();
        }
    }

    /** The last request was answered with contention. */
    final void refused() {
        if (succession != null) {
            succession.refused();
        }
    }

    /** Returns the lease of a lock that a release has handed over; null if there is none, or the message came too late. */
    final @Nullable LeaseHandle handedOver() {
        Message message = succession == null ? null : succession.take();
        if (message == null) {
            return null;
        }
        long waited = context.clock().look() - sent;
        // The store's clock may have been set forward meanwhile (decision T5): it never granted later than now.
        long from = sent + Math.min(waited, Succession.waitedNanos(message));
        Granted grant = new Granted(lockId, message.fence(), message.expiresAtMs(), message.claimMs());
        if (isClaimOver(grant, from)) {
            tell(WOKEN);
            return null;
        }
        return granted(grant, from);
    }

    /** Returns whether a grant may last for a claim only, which an extension has to confirm. */
    private boolean isClaim(Granted grant) {
        return succession != null
                && succession.isMaybeQueued()
                && grant.remainingMs() < Minimum.ttl(options).millis();
    }

    private boolean isClaimOver(Granted grant, long from) {
        return isClaim(grant) && context.clock().look() - Deadlines.lasting(from, grant.remainingMs()) >= 0;
    }

    /** Returns whether the reply grants a claim that is over by now: it is no more than a reason to ask again. */
    final boolean isClaimOver(AcquireOutcome outcome) {
        return outcome instanceof Granted grant && isClaimOver(grant, sent);
    }

    /** Returns whether the store may have queued the acquire, or granted it the lock without its knowing. */
    final boolean isMaybeQueued() {
        return succession != null && succession.isMaybeQueued();
    }

    final void endSuccession() {
        if (succession != null) {
            succession.close();
        }
    }

    /** The request is given up although it may be carried out: what it is granted goes back. */
    final void abandon() {
        unanswered++;
    }

    /** Turns a grant into a lease; whatever is wrong with it, it is taken back. */
    final LeaseHandle granted(Granted grant) {
        return granted(grant, sent);
    }

    /** The same for a lease that counts from the given time. */
    private LeaseHandle granted(Granted grant, long from) {
        try {
            long now = context.clock().look(); // the machine may have been suspended during the request
            LeaseHandle lease = admit(grant, from, now);
            machine.ended(now);
            if (succession != null) {
                succession.granted();
            }
            return lease;
        } catch (LockException e) {
            takeBack(true);
            throw e.about(key, lockId);
        } catch (Throwable e) {
            takeBack(true);
            throw e;
        }
    }

    private LeaseHandle admit(Granted grant, long from, long now) {
        if (!grant.lockId().equals(lockId)) {
            throw new LockException(Code.INTERNAL, "the store answered for another lock id", null, true);
        }
        Minimum minimum = Minimum.begin(options, context.clock());
        LeaseState state =
                new LeaseState(context.clock(), key, options, grant, from, unanswered, threadId(lockId), minimum);
        if (isClaim(grant)) {
            state.claimed(Deadlines.lasting(from, grant.remainingMs()));
        }
        if (state.isOver(now)) {
            throw new LockException(Code.NETWORK_TIMEOUT, "the grant arrived after its lease had expired", null, true);
        }
        context.fences().check(seenBefore, key, lockId, grant.fence());
        context.fences().remember(key, lockId, grant.fence());
        return hold(state, grant, from, now);
    }

    private LeaseHandle hold(LeaseState state, Granted grant, long from, long now) {
        HeldLease lease = new HeldLease(context.leaseContext(), state);
        context.leases().add(lease);
        LeaseHandle handle = new LeaseHandle(lease);
        try {
            if (context.reports().isObserved()) {
                tellGranted(grant.fence(), now);
            }
            lease.start();
            context.leaks().track(handle, state);
            context.leaseContext().observeClock(grant.expiresAtMs() - grant.remainingMs(), from, now);
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
