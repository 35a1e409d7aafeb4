package dev.syncguard.internal;

import dev.syncguard.Fence;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about one lease, and how that may change: here whose it is and how it ends, in {@link LeaseTime}
 * how long it lasts. No I/O, no threads.
 *
 * <p>A lease is held until its holder gives it up or it is lost, whichever is first and once for good: {@link #end} leaves
 * null by one compare-and-set. A release whose store no longer had the lock turns into a loss, because the end of the work
 * was not covered. A loss is never taken back, not even by an extension that succeeded in time: the holder may have been
 * told already.
 */
final class LeaseState extends LeaseTime {

    private static final AtomicReferenceFieldUpdater<LeaseState, @Nullable Object> END =
            AtomicReferenceFieldUpdater.newUpdater(LeaseState.class, Object.class, "end");

    /**
     * That the holder gave the lease up, and how it was then.
     *
     * @param heldNanos how long the lease had been held
     * @param share how much of the ttl was left
     */
    record GivenUp(long heldNanos, double share) {

        /** Without what only an observer would hear of. */
        static final GivenUp UNOBSERVED = new GivenUp(0, 0);
    }

    private final LockKey key;
    private final LockId lockId;
    private final Fence fence;
    private final long threadId;
    private final int unanswered;
    private volatile @Nullable Object end;
    private volatile @Nullable Runnable whenEnded;
    private volatile @Nullable Minimum minimum;
    private volatile boolean mayBeReleased;

    /**
     * Creates the state of a granted lock.
     *
     * @param dispatched when the request was sent
     * @param unanswered how many earlier requests of the same acquire may still arrive at the store
     * @param threadId the thread that holds it, negative if it was acquired without one
     * @param minimum how long it stays locked at least, if that was asked for
     */
    LeaseState(
            GuardClock clock,
            LockKey key,
            LockOptions options,
            Granted granted,
            long dispatched,
            int unanswered,
            long threadId,
            @Nullable Minimum minimum) {
        super(clock, options, granted, dispatched);
        this.key = key;
        this.lockId = granted.lockId();
        this.fence = granted.fence();
        this.unanswered = unanswered;
        this.threadId = threadId;
        this.minimum = minimum;
    }

    LockKey key() {
        return key;
    }

    LockId lockId() {
        return lockId;
    }

    Fence fence() {
        return fence;
    }

    long threadId() {
        return threadId;
    }

    /** Returns how many requests of the acquire may still arrive at the store, and lock again. */
    int unanswered() {
        return unanswered;
    }

    /** Returns how long the lock stays locked although it is released; null if it goes at once. */
    @Nullable
    Minimum minimum() {
        return minimum;
    }

    /** The lock stays for this long from now, however soon it is released; not if it has been. */
    void holdAtLeast(Ttl least) {
        if (isHeld()) {
            minimum = Minimum.begin(least, clock);
        }
    }

    /** The lock goes when it is released, whatever its minimum: what it was held for did not happen. */
    void waiveMinimum() {
        minimum = null;
    }

    /** Returns whether the lock is still in the store after it was released. */
    boolean isKept() {
        return Minimum.rest(minimum, clock) != null;
    }

    /** The background may release the lock before its holder does. */
    void mayBeReleased() {
        mayBeReleased = true;
    }

    /** Returns whether not finding the lock at its release is no loss. */
    boolean isMaybeReleased() {
        return mayBeReleased;
    }

    /** Returns whether the holder may rely on the lease, without telling anyone if not. */
    boolean isBelieved() {
        return end == null && !isOver(clock.look());
    }

    /** Returns the same without looking for a suspension, for a lease that was looked at just now. */
    boolean isStillBelieved() {
        return end == null && !isOver(clock.now());
    }

    boolean isHeld() {
        return end == null;
    }

    /** Runs something when the lease ends, at once if it has; more than once is possible. */
    void whenEnded(Runnable action) {
        whenEnded = action;
        if (end != null) {
            action.run();
        }
    }

    /** Ends the lease because its holder gives it up; false if it had ended. */
    boolean giveUp(GivenUp how) {
        return end(how);
    }

    /** Returns how the lease was given up; null if it was not, or was lost all the same. */
    @Nullable
    GivenUp givenUp() {
        return end instanceof GivenUp how ? how : null;
    }

    /** Ends a held lease as lost; false if it had ended. */
    boolean lose(Loss loss) {
        return end(loss);
    }

    private boolean end(Object how) {
        boolean ended = END.compareAndSet(this, null, how);
        Runnable action = whenEnded;
        if (ended && action != null) {
            action.run();
        }
        return ended;
    }

    /** The store no longer had the lock when its holder gave it up. */
    boolean loseAfterGivingUp(Loss loss) {
        return end instanceof GivenUp how && END.compareAndSet(this, how, loss);
    }

    boolean isLost() {
        return end instanceof Loss;
    }

    /** Returns the loss with what the body gave; null if the lease was not lost. */
    @Nullable
    LeaseLostException loss(@Nullable Object result) {
        return end instanceof Loss loss
                ? new LeaseLostException(loss.reason(), loss.detail(), loss.cause(), key, lockId, result)
                : null;
    }
}
