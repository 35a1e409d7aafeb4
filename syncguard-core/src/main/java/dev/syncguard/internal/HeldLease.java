package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.Ttl;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process.
 *
 * <p>Two things end it, each once and for good: {@link #releasing} is set when its holder gives it up, {@link #loss} when
 * it was lost before that. It is valid while neither is set and its deadline lies ahead. A loss is never taken back, not
 * even by an extension that turns out to have succeeded in time: the holder may have been told already.
 */
final class HeldLease implements Lease {

    private final Guard guard;
    private final LockKey key;
    private final LockOptions options;
    private final LockId lockId;
    private final Fence fence;
    private final long threadId;

    private final AtomicReference<@Nullable CompletableFuture<Boolean>> releasing = new AtomicReference<>();
    private final AtomicReference<@Nullable Reason> loss = new AtomicReference<>();
    private final AtomicReference<@Nullable CompletableFuture<Void>> extending = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final @Nullable LeaseWatch watch;

    private volatile long deadline;
    private volatile long expiresAtMs;
    private volatile Ttl ttl;
    private volatile boolean releaseAmbiguous;
    /** The shortest ttl of an extension whose outcome is unknown: it may still arrive and shorten the lease. */
    private volatile long shortestPendingMs = Long.MAX_VALUE;

    HeldLease(Guard guard, LockKey key, LockOptions options, Granted granted, long dispatched, long deadline) {
        this.guard = guard;
        this.key = key;
        this.options = options;
        this.lockId = granted.lockId();
        this.fence = granted.fence();
        this.threadId = Thread.currentThread().getId();
        this.deadline = deadline;
        this.expiresAtMs = granted.expiresAtMs();
        this.ttl = options.ttl();
        boolean watched = options.isAutoExtend() || options.onLost().isPresent();
        this.watch = watched ? new LeaseWatch(guard, this, options.isAutoExtend(), dispatched) : null;
    }

    /** Starts the renewal and the watch over the deadline, if the options ask for them. */
    void start() {
        if (watch != null) {
            watch.start();
        }
    }

    @Override
    public LockId lockId() {
        return lockId;
    }

    @Override
    public Fence fence() {
        return fence;
    }

    @Override
    public String keyHash() {
        return key.hash();
    }

    LockKey key() {
        return key;
    }

    Ttl ttl() {
        return ttl;
    }

    long deadline() {
        return deadline;
    }

    boolean wasAcquiredBy(Thread thread) {
        return threadId == thread.getId();
    }

    @Override
    public long expiresAtMs() {
        return expiresAtMs;
    }

    @Override
    public Duration remaining() {
        return isValid() ? Duration.ofNanos(Math.max(0, remainingNanos())) : Duration.ZERO;
    }

    long remainingNanos() {
        return deadline - guard.time().nanoTime();
    }

    /** Tells whether this lease may still be relied on, without telling anybody if not. */
    boolean isBelieved() {
        return releasing.get() == null && loss.get() == null && remainingNanos() > 0;
    }

    @Override
    public boolean isValid() {
        noticeExpiry();
        return releasing.get() == null && loss.get() == null;
    }

    @Override
    public void ensureValid() {
        if (!isValid()) {
            Reason reason = loss.get();
            throw new LeaseLostException(reason == null ? Reason.RELEASED : reason, key, lockId, null);
        }
    }

    @Override
    public boolean wasLost() {
        noticeExpiry();
        return loss.get() != null;
    }

    /** Returns the loss of a lease that is over, with what its body gave; null if it was not lost. */
    @Nullable LeaseLostException loss(@Nullable Object result) {
        Reason reason = loss.get();
        return reason == null ? null : new LeaseLostException(reason, key, lockId, result);
    }

    /** Marks the lease as lost if its deadline passed before anybody released it. */
    void noticeExpiry() {
        if (releasing.get() == null && remainingNanos() <= 0) {
            lose(Reason.EXPIRED);
        }
    }

    private void lose(Reason reason) {
        if (loss.compareAndSet(null, reason)) {
            stopWatch();
            guard.lost(this, options, new LeaseLostException(reason, key, lockId, null));
        }
    }

    // ---- extend: one at a time, because a late one could shorten what a later one prolonged

    @Override
    public boolean extend(Duration duration) {
        Ttl wanted = Ttl.of(duration);
        guard.ensureOpen();
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = extending.getAndSet(turn);
        if (before != null) {
            before.join();
        }
        try {
            if (!isValid()) {
                return false;
            }
            long dispatched = guard.time().nanoTime();
            try {
                return extended(guard.store().extend(key, lockId, wanted), wanted, dispatched);
            } catch (LockException e) {
                throw notExtended(e, wanted, dispatched);
            }
        } finally {
            turn.complete(null);
        }
    }

    CompletableFuture<Boolean> extendAsync(Ttl wanted) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        CompletableFuture<Void> before = extending.getAndSet(turn);
        return (before == null ? CompletableFuture.<Void>completedFuture(null) : before)
                .thenCompose(done -> extendNow(wanted))
                .whenComplete((extended, failure) -> turn.complete(null));
    }

    /** Extends unless an extension is under way, which serves as well; empty then. */
    @Nullable CompletableFuture<Boolean> renew() {
        CompletableFuture<Void> current = extending.get();
        boolean busy = current != null && !current.isDone();
        return busy ? null : extendAsync(ttl);
    }

    private CompletableFuture<Boolean> extendNow(Ttl wanted) {
        if (!isValid()) {
            return CompletableFuture.completedFuture(false);
        }
        long dispatched = guard.time().nanoTime();
        return guard.store().extendAsync(key, lockId, wanted).handle((outcome, failure) -> {
            if (failure != null) {
                throw notExtended(Store.translate(failure, key, lockId), wanted, dispatched);
            }
            return extended(outcome, wanted, dispatched);
        });
    }

    private boolean extended(ExtendOutcome outcome, Ttl wanted, long dispatched) {
        if (outcome instanceof NotExtended refusal) {
            lose(refusal == NotExtended.EXPIRED ? Reason.EXPIRED : Reason.GONE);
            return false;
        }
        Extended extended = (Extended) outcome;
        long believedMs = Math.min(extended.remainingMs(), shortestPendingMs);
        long newDeadline = Deadlines.of(dispatched, wanted, believedMs);
        if (loss.get() != null || guard.time().nanoTime() - newDeadline >= 0) {
            lose(Reason.EXPIRED);
            guard.compensations().start(key, lockId, wanted);
            throw new LockException(Code.NETWORK_TIMEOUT, "the extension arrived after the lease had ended", null, true)
                    .about(key, lockId);
        }
        ttl = wanted;
        expiresAtMs = extended.expiresAtMs();
        deadline = newDeadline;
        if (watch != null) {
            watch.extended(dispatched);
        }
        return true;
    }

    /** A failed extension changes nothing, or nobody knows: then believe in the shorter of the two. */
    private LockException notExtended(LockException failure, Ttl wanted, long dispatched) {
        if (failure.outcomeUnknown()) {
            shortestPendingMs = Math.min(shortestPendingMs, wanted.millis());
            long ifApplied = Deadlines.of(dispatched, wanted, wanted.millis());
            if (ifApplied - deadline < 0) {
                deadline = ifApplied;
                if (watch != null) {
                    watch.deadlineMoved();
                }
            }
        }
        return failure;
    }

    // ---- release: from the first call on the holder has given the lease up, whatever the store answers

    @Override
    public boolean release() {
        noticeExpiry();
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> theirs = claim(mine);
        if (theirs != null) {
            return joinOther(theirs);
        }
        try {
            boolean released = finished(guard.store().release(key, lockId));
            mine.complete(released);
            return released;
        } catch (LockException e) {
            throw failed(mine, e);
        }
    }

    CompletableFuture<Boolean> releaseAsync() {
        noticeExpiry();
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> theirs = claim(mine);
        if (theirs != null) {
            return theirs.thenApply(done -> false);
        }
        guard.store().releaseAsync(key, lockId).whenComplete((outcome, failure) -> {
            if (failure != null) {
                failed(mine, Store.translate(failure, key, lockId));
            } else {
                mine.complete(finished(outcome));
            }
        });
        return mine;
    }

    /** Takes the right to release; if somebody else has it and has not failed, returns theirs. */
    private @Nullable CompletableFuture<Boolean> claim(CompletableFuture<Boolean> mine) {
        while (true) {
            CompletableFuture<Boolean> current = releasing.get();
            if (current != null && !current.isCompletedExceptionally()) {
                return current;
            }
            if (releasing.compareAndSet(current, mine)) {
                stopWatch();
                return null;
            }
        }
    }

    private static boolean joinOther(CompletableFuture<Boolean> other) {
        try {
            other.join();
            return false;
        } catch (RuntimeException e) {
            throw Store.translate(e, null, null);
        }
    }

    private boolean finished(ReleaseOutcome outcome) {
        guard.released(this);
        if (outcome != ReleaseOutcome.RELEASED && !releaseAmbiguous) {
            lose(outcome == ReleaseOutcome.EXPIRED ? Reason.EXPIRED : Reason.GONE);
        }
        return outcome == ReleaseOutcome.RELEASED;
    }

    private LockException failed(CompletableFuture<Boolean> mine, LockException failure) {
        releaseAmbiguous |= failure.outcomeUnknown();
        mine.completeExceptionally(failure);
        return failure;
    }

    // ---- close: never throws, bounded, tries an ambiguous release once more

    @Override
    public void close() {
        boolean firstToClose = closed.compareAndSet(false, true);
        Duration limit = guard.disposeTimeout();
        if (!firstToClose) {
            await(inFlight(), limit);
        } else if (limit != null) {
            if (!await(disposeAsync(), limit)) {
                report(new LockException(
                        Code.NETWORK_TIMEOUT, "the release took longer than the dispose timeout", null, true));
            }
        } else {
            try {
                releaseTwice();
            } catch (LockException e) {
                report(e);
            }
        }
    }

    private void releaseTwice() {
        try {
            release();
        } catch (LockException e) {
            if (!e.outcomeUnknown()) {
                throw e;
            }
            release();
        }
    }

    /** Closes without a blocked thread; completes when that is done, never with a failure. */
    CompletableFuture<Void> closeAsync() {
        return closed.compareAndSet(false, true) ? disposeAsync() : inFlight();
    }

    private CompletableFuture<Void> disposeAsync() {
        return releaseAsync()
                .handle((released, failure) -> {
                    LockException error = failure == null ? null : Store.translate(failure, key, lockId);
                    boolean again = error != null && error.outcomeUnknown();
                    return again ? releaseAsync() : done(error);
                })
                .thenCompose(stage -> stage)
                .handle((released, failure) -> {
                    if (failure != null) {
                        report(Store.translate(failure, key, lockId));
                    }
                    return null;
                });
    }

    private static CompletableFuture<Boolean> done(@Nullable LockException error) {
        return error == null ? CompletableFuture.completedFuture(true) : CompletableFuture.failedFuture(error);
    }

    private CompletableFuture<Void> inFlight() {
        CompletableFuture<Boolean> current = releasing.get();
        return current == null
                ? CompletableFuture.completedFuture(null)
                : current.handle((released, failure) -> null);
    }

    private void report(LockException failure) {
        guard.releaseFailed(this, options, failure.about(key, lockId));
    }

    /** Waits without giving up on an interrupt, whose flag is kept; false if the limit passed. */
    private static boolean await(CompletableFuture<Void> future, @Nullable Duration limit) {
        long nanos = limit == null ? Long.MAX_VALUE : limit.toNanos();
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException | ExecutionException e) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void stopWatch() {
        if (watch != null) {
            watch.stop();
        }
    }

    @Override
    public String toString() {
        return "Lease(" + key.hash() + ", fence " + fence + ")";
    }
}
