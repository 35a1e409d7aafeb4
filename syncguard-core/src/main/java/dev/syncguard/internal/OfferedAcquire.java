package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An acquire whose caller gets its lease by a stage: the lease is offered until the caller has it, or does not want it any
 * more, or the guard closes.
 */
abstract class OfferedAcquire extends Acquire {

    private static final AtomicReferenceFieldUpdater<OfferedAcquire, @Nullable LeaseHandle> OFFERED =
            AtomicReferenceFieldUpdater.newUpdater(OfferedAcquire.class, LeaseHandle.class, "offered");

    final CompletableFuture<AcquireResult> result = new CompletableFuture<>();

    private volatile @Nullable LeaseHandle offered;
    private final Runnable takeBackOffer = this::withdraw;

    OfferedAcquire(
            AcquireContext context, LockKey key, LockOptions options, AbortSignal signal, boolean contentionIsResult) {
        super(context, key, options, signal, contentionIsResult);
    }

    /** The acquire is over: it leaves the line, and takes back what no one has got. */
    abstract void leave(@Nullable LeaseHandle lease, @Nullable Throwable failure);

    /** A caller that cancelled meanwhile hears of it after the grant has gone back. */
    final @Nullable AcquireResult unlessCancelled(LeaseHandle lease) {
        RuntimeException why = refused(callerNews());
        if (why == null) {
            return lease;
        }
        CompletionStage<Boolean> closing = lease.closeUnused();
        leave(null, why);
        failAfter(closing, why);
        return null;
    }

    final void complete(AcquireResult outcome) {
        if (outcome instanceof LeaseHandle lease) {
            leaveWith(lease);
            handOver(lease);
        } else {
            leave(null, null);
            context.completion().run(() -> result.complete(outcome));
        }
    }

    /** Leaves with a lease that nothing else knows of yet: it goes back if that fails. */
    private void leaveWith(LeaseHandle lease) {
        boolean left = false;
        try {
            leave(lease, null);
            left = true;
        } finally {
            if (!left) {
                var unused = lease.closeUnused();
            }
        }
    }

    final void fail(Throwable e) {
        try {
            leave(null, e);
        } finally {
            context.completion().run(() -> result.completeExceptionally(e));
        }
    }

    /**
     * Gives the lease to the caller, or back if the caller has cancelled, also while an executor is late or has dropped the
     * task. Ends after either: a guard that closes waits until the lease has an owner, or is released.
     *
     * <p>What takes {@link #offered} deals with the lease: the task that delivers it, the result if its caller completed
     * it before, a guard that closes, or this method if either was before there was an offer to see.
     */
    private void handOver(LeaseHandle lease) {
        offered = lease;
        context.inFlight().offered(takeBackOffer);
        if (offered == null) {
            context.inFlight().delivered(takeBackOffer); // taken before it was registered
        }
        if (result.isDone()) {
            settled(null);
        } else {
            context.completion().run(this::deliverOffer);
        }
    }

    private @Nullable LeaseHandle takeOffer() {
        LeaseHandle lease = offered == null ? null : OFFERED.getAndSet(this, null);
        if (lease != null) {
            context.inFlight().delivered(takeBackOffer);
        }
        return lease;
    }

    /** Before the result is complete, because what the application does then takes its time, with the lease. */
    private void deliverOffer() {
        LeaseHandle lease = takeOffer();
        if (lease != null) {
            deliver(lease);
            end();
        }
    }

    private void deliver(LeaseHandle lease) {
        try {
            LastLook.at(lease, true);
        } catch (Throwable e) {
            result.completeExceptionally(e);
            return;
        }
        if (!result.complete(lease)) {
            var unused = lease.closeUnused();
        }
    }

    /** The guard closes before an executor has delivered the lease: it may never do so. */
    private void withdraw() {
        LeaseHandle lease = takeOffer();
        if (lease != null) {
            CompletionStage<Boolean> closing = lease.closeUnused();
            end(); // the release is counted by itself
            failAfter(closing, InFlight.closedException());
        }
    }

    private void failAfter(CompletionStage<Boolean> closing, RuntimeException why) {
        closing.whenComplete((closed, impossible) -> context.completion().run(() -> result.completeExceptionally(why)));
    }

    /** The result is complete: with what was delivered, or because the caller wants nothing any more. */
    final void settled(@Nullable AcquireResult delivered) {
        LeaseHandle lease = takeOffer();
        if (lease != null) {
            var unused = lease.closeUnused();
            end();
        } else if (!(delivered instanceof LeaseHandle)) {
            tell(CANCELLED);
        }
    }
}
