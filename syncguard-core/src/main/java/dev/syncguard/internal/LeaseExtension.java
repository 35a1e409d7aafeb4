package dev.syncguard.internal;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.Ttl;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Extends one lease, by one request at a time: of two requests under way the store may carry out the wrong one last.
 *
 * <p>Each extension waits for the one before it; {@link #last} is the end of that queue.
 */
final class LeaseExtension {

    private final Guard guard;
    private final HeldLease lease;
    private final AtomicReference<@Nullable CompletableFuture<Void>> last = new AtomicReference<>();

    /** The shortest ttl of an extension whose outcome is unknown: it may still arrive and shorten the lease. */
    private volatile long shortestPendingMs = Long.MAX_VALUE;

    LeaseExtension(Guard guard, HeldLease lease) {
        this.guard = guard;
        this.lease = lease;
    }

    boolean extend(Ttl ttl) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = last.getAndSet(turn);
        if (before != null) {
            before.join();
        }
        try {
            if (!lease.isValid()) {
                return false;
            }
            long dispatched = guard.time().nanoTime();
            try {
                return extended(guard.store().extend(lease.key(), lease.lockId(), ttl), ttl, dispatched);
            } catch (LockException e) {
                throw failed(e, ttl, dispatched);
            }
        } finally {
            turn.complete(null);
        }
    }

    CompletionStage<Boolean> extendAsync(Ttl ttl) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = last.getAndSet(turn);
        CompletionStage<Boolean> extending = before == null || before.isDone()
                ? extendNow(ttl)
                : before.thenComposeAsync(
                        done -> extendNow(ttl), guard.workers().upkeep());
        CompletionStage<Boolean> done = extending.whenComplete((extended, failure) -> turn.complete(null));
        return done.toCompletableFuture().copy(); // who cancels its stage must not keep the turn from ending
    }

    /** Extends by the same ttl as last time; null if an extension is under way, which serves as well. */
    @Nullable
    CompletionStage<Boolean> renew() {
        CompletableFuture<Void> underWay = last.get();
        return underWay == null || underWay.isDone() ? extendAsync(lease.ttl()) : null;
    }

    private CompletionStage<Boolean> extendNow(Ttl ttl) {
        if (!lease.isValid()) {
            return CompletableFuture.completedStage(false);
        }
        long dispatched = guard.time().nanoTime();
        return guard.store().extendAsync(lease.key(), lease.lockId(), ttl).handle((outcome, failure) -> {
            if (failure != null) {
                throw failed(lease.translate(failure), ttl, dispatched);
            }
            return extended(outcome, ttl, dispatched);
        });
    }

    private boolean extended(ExtendOutcome outcome, Ttl ttl, long dispatched) {
        if (outcome instanceof NotExtended refusal) {
            lease.loseUnlessReleased(refusal == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.GONE);
            return false;
        }
        Extended extended = (Extended) outcome;
        long believedMs = Math.min(extended.remainingMs(), shortestPendingMs);
        long deadline = Deadlines.of(dispatched, ttl, believedMs);
        lease.noticeExpiry();
        if (lease.isLost() || guard.time().nanoTime() - deadline >= 0) {
            lease.loseUnlessReleased(Reason.EXPIRED);
            guard.compensations().start(lease.key(), lease.lockId(), ttl);
            throw lease.translate(new LockException(
                    Code.NETWORK_TIMEOUT, "the extension arrived after the lease had ended", null, true));
        }
        lease.prolong(extended, ttl, dispatched, deadline);
        return true;
    }

    /** Nothing was changed, or nobody knows: then believe in the shorter of the two. */
    private LockException failed(LockException failure, Ttl ttl, long dispatched) {
        if (failure.outcomeUnknown()) {
            shortestPendingMs = Math.min(shortestPendingMs, ttl.millis());
            lease.believeUntil(Deadlines.of(dispatched, ttl, ttl.millis()));
        }
        return failure;
    }
}
