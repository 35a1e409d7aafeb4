package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.Ttl;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process.
 *
 * <p>Two things end it, each once and for good: its holder gives it up ({@link LeaseRelease#hasBegun}), or it is lost
 * before that ({@link #loss}). It is valid while neither has happened and its deadline lies ahead. A loss is never taken
 * back, not even by an extension that turns out to have succeeded in time: the holder may have been told already.
 */
final class HeldLease implements Lease {

    private static final AtomicReferenceFieldUpdater<HeldLease, @Nullable Reason> LOSS =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, Reason.class, "loss");

    private final Guard guard;
    private final LockKey key;
    private final LockOptions options;
    private final LockId lockId;
    private final Fence fence;
    private final long threadId;

    private final LeaseRelease release;
    private final LeaseExtension extension;
    private final @Nullable LeaseWatch watch;

    private volatile @Nullable Reason loss;
    private volatile long deadline;
    private volatile long expiresAtMs;
    private volatile Ttl ttl;
    private volatile boolean warned;

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
        this.release = new LeaseRelease(guard, this);
        this.extension = new LeaseExtension(guard, this);
        boolean watched = options.isAutoExtend() || options.onLost().isPresent();
        this.watch = watched ? new LeaseWatch(guard, this, options.isAutoExtend(), dispatched) : null;
    }

    /** Starts the renewal and the watch over the deadline, if the options ask for them. */
    void start() {
        if (watch != null) {
            watch.start();
        }
    }

    void stopWatch() {
        if (watch != null) {
            watch.stop();
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

    LockOptions options() {
        return options;
    }

    Ttl ttl() {
        return ttl;
    }

    long deadline() {
        return deadline;
    }

    long threadId() {
        return threadId;
    }

    boolean wasAcquiredBy(Thread thread) {
        return threadId == thread.getId();
    }

    /** Tells once that a warning about this lease has not been given yet. */
    boolean isFirstWarning() {
        boolean firstOne = !warned;
        warned = true;
        return firstOne;
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
        return !release.hasBegun() && !isLost() && remainingNanos() > 0;
    }

    @Override
    public boolean isValid() {
        noticeExpiry();
        return !release.hasBegun() && !isLost();
    }

    @Override
    public void ensureValid() {
        if (!isValid()) {
            Reason reason = loss;
            throw new LeaseLostException(reason == null ? Reason.RELEASED : reason, key, lockId, null);
        }
    }

    @Override
    public boolean wasLost() {
        noticeExpiry();
        return isLost();
    }

    boolean isLost() {
        return loss != null;
    }

    /** Returns the loss of a lease that is over, with what its body gave; null if it was not lost. */
    @Nullable
    LeaseLostException loss(@Nullable Object result) {
        Reason reason = loss;
        return reason == null ? null : new LeaseLostException(reason, key, lockId, result);
    }

    /** Marks the lease as lost if its deadline passed before anybody released it. */
    void noticeExpiry() {
        if (remainingNanos() <= 0) {
            loseUnlessReleased(Reason.EXPIRED);
        }
    }

    /**
     * Marks the lease as lost unless its holder has given it up: an extension that arrives after the release finds
     * nothing, and that is no loss. Look at the cause first, then call this: only then a release that begins meanwhile
     * cannot turn into a loss.
     */
    void loseUnlessReleased(Reason reason) {
        if (!release.hasBegun()) {
            lose(reason);
        }
    }

    void lose(Reason reason) {
        if (LOSS.compareAndSet(this, null, reason)) {
            stopWatch();
            guard.lost(this, new LeaseLostException(reason, key, lockId, null));
        }
    }

    /** The store has extended the lock. */
    void prolong(Extended extended, Ttl newTtl, long dispatched, long newDeadline) {
        ttl = newTtl;
        expiresAtMs = extended.expiresAtMs();
        deadline = newDeadline;
        if (watch != null) {
            watch.extended(dispatched);
        }
    }

    /** The store may have shortened the lock. */
    void believeUntil(long earlierDeadline) {
        if (earlierDeadline - deadline < 0) {
            deadline = earlierDeadline;
            if (watch != null) {
                watch.deadlineMoved();
            }
        }
    }

    @Override
    public boolean extend(Duration duration) {
        guard.ensureOpen();
        return extension.extend(Ttl.of(duration));
    }

    CompletionStage<Boolean> extendAsync(Ttl wanted) {
        return extension.extendAsync(wanted);
    }

    @Nullable
    CompletionStage<Boolean> renew() {
        return extension.renew();
    }

    @Override
    public boolean release() {
        return release.release();
    }

    CompletionStage<Boolean> releaseAsync() {
        return release.releaseAsync().copy(); // who cancels its stage does not cancel the release
    }

    @Override
    public void close() {
        release.close();
    }

    CompletionStage<?> closeAsync() {
        return release.closeAsync();
    }

    /** Returns a failure of the store with what it is about. */
    LockException translate(Throwable failure) {
        return Store.translate(failure, key, lockId);
    }

    @Override
    public String toString() {
        return "Lease(" + key.hash() + ", fence " + fence + ")";
    }
}
