package dev.syncguard.internal;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Gives up one lease.
 *
 * <p>From the first call on the holder has given it up, whatever the store answers. One request is under way at a time;
 * others wait for it. A request that failed may be repeated, by hand or once by {@link #close()}.
 */
final class LeaseRelease {

    @SuppressWarnings("rawtypes") // there is no class literal of a generic type
    private static final AtomicReferenceFieldUpdater<LeaseRelease, @Nullable CompletableFuture> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRelease.class, CompletableFuture.class, "current");

    private static final AtomicIntegerFieldUpdater<LeaseRelease> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(LeaseRelease.class, "closed");
    private static final AtomicIntegerFieldUpdater<LeaseRelease> REPORTED =
            AtomicIntegerFieldUpdater.newUpdater(LeaseRelease.class, "reported");

    private final Guard guard;
    private final HeldLease lease;
    private volatile @Nullable CompletableFuture<Boolean> current;
    private volatile int closed;
    private volatile int reported;
    /** Whether an earlier request may have released the lock: then not finding it is no loss. */
    private volatile boolean ambiguous;

    LeaseRelease(Guard guard, HeldLease lease) {
        this.guard = guard;
        this.lease = lease;
    }

    boolean hasBegun() {
        return current != null;
    }

    boolean release() {
        lease.noticeExpiry();
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> theirs = claim(mine);
        if (theirs != null) {
            return joinOther(theirs);
        }
        try {
            boolean released = finished(guard.store().release(lease.key(), lease.lockId()));
            mine.complete(released);
            return released;
        } catch (RuntimeException | Error e) {
            failed(mine, lease.translate(e));
            throw e;
        }
    }

    CompletableFuture<Boolean> releaseAsync() {
        lease.noticeExpiry();
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> theirs = claim(mine);
        if (theirs != null) {
            return theirs.thenApply(done -> false);
        }
        guard.store().releaseAsync(lease.key(), lease.lockId()).whenComplete((outcome, failure) -> {
            try {
                if (failure == null) {
                    mine.complete(finished(outcome));
                } else {
                    failed(mine, lease.translate(failure));
                }
            } catch (RuntimeException | Error e) {
                failed(mine, lease.translate(e));
            }
        });
        return mine;
    }

    /** Takes the right to send a request; if somebody else has it and has not failed, returns theirs. */
    private @Nullable CompletableFuture<Boolean> claim(CompletableFuture<Boolean> mine) {
        while (true) {
            CompletableFuture<Boolean> other = current;
            if (other != null && !other.isCompletedExceptionally()) {
                return other;
            }
            if (CURRENT.compareAndSet(this, other, mine)) {
                lease.stopWatch();
                return null;
            }
        }
    }

    private boolean joinOther(CompletableFuture<Boolean> other) {
        try {
            other.join();
            return false;
        } catch (RuntimeException e) {
            throw lease.translate(e);
        }
    }

    private boolean finished(ReleaseOutcome outcome) {
        guard.released(lease);
        if (outcome != ReleaseOutcome.RELEASED && !ambiguous) {
            lease.lose(outcome == ReleaseOutcome.EXPIRED ? Reason.EXPIRED : Reason.GONE);
        }
        return outcome == ReleaseOutcome.RELEASED;
    }

    private void failed(CompletableFuture<Boolean> mine, LockException failure) {
        ambiguous |= failure.outcomeUnknown();
        mine.completeExceptionally(failure);
    }

    /** Never throws, waits within its bound, tries an ambiguous release once more. */
    void close() {
        boolean first = closed == 0 && CLOSED.compareAndSet(this, 0, 1);
        Duration limit = guard.disposeTimeout();
        if (!first) {
            Awaiting.done(underWay(), limit == null ? Long.MAX_VALUE : limit.toNanos());
        } else if (limit == null) {
            releaseTwice();
        } else if (!Awaiting.done(releaseTwiceAsync(), limit.toNanos())) {
            report(new LockException(
                    Code.NETWORK_TIMEOUT, "the release took longer than the dispose timeout", null, true));
        }
    }

    /** Closes without a blocked thread; completes when that is done, never with a failure. */
    CompletableFuture<?> closeAsync() {
        return closed == 0 && CLOSED.compareAndSet(this, 0, 1) ? releaseTwiceAsync() : underWay();
    }

    private void releaseTwice() {
        try {
            release();
        } catch (LockException first) {
            if (!first.outcomeUnknown()) {
                report(first);
                return;
            }
            try {
                release();
            } catch (LockException second) {
                report(second);
            }
        }
    }

    private CompletableFuture<?> releaseTwiceAsync() {
        CompletionStage<Boolean> released = releaseAsync().exceptionallyCompose(failure -> {
            LockException first = lease.translate(failure);
            return first.outcomeUnknown() ? releaseAsync() : CompletableFuture.failedStage(first);
        });
        return released.toCompletableFuture().exceptionally(failure -> {
            report(lease.translate(failure));
            return false;
        });
    }

    private CompletableFuture<?> underWay() {
        CompletableFuture<Boolean> release = current;
        return release == null ? CompletableFuture.completedFuture(false) : release.exceptionally(failure -> false);
    }

    private void report(LockException failure) {
        if (reported == 0 && REPORTED.compareAndSet(this, 0, 1)) {
            guard.releaseFailed(lease, failure.about(lease.key(), lease.lockId()));
        }
    }
}
