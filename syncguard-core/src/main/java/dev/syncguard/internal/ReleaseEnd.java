package dev.syncguard.internal;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.Ttl;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The end of a lease that is released: what its holder's giving up, the store's answer and a failure mean.
 *
 * <p>A request that failed is repeated in the background until the lock is gone.
 */
abstract class ReleaseEnd {

    private static final AtomicIntegerFieldUpdater<ReleaseEnd> REPEATING =
            AtomicIntegerFieldUpdater.newUpdater(ReleaseEnd.class, "repeating");

    final LeaseLoss loss;
    private volatile int repeating;
    private volatile boolean repeats;
    /** Whether an earlier request or the background may have released the lock: then not finding it is no loss. */
    private volatile boolean ambiguous;

    ReleaseEnd(LeaseLoss loss) {
        this.loss = loss;
    }

    /** Who releases, and whether it tries again if the outcome is unknown. */
    enum Try {
        BY_HAND,
        FIRST_OF_CLOSE,
        LAST_OF_CLOSE
    }

    final void giveUp() {
        loss.state.giveUp(loss.context.reports().isObserved() ? now() : LeaseState.GivenUp.UNOBSERVED);
    }

    private LeaseState.GivenUp now() {
        Term term = loss.state.term();
        long now = loss.context.clock().now();
        double share = (double) (term.deadline() - now) / term.ttl().nanos();
        return new LeaseState.GivenUp(loss.state.heldNanos(now), Math.max(0, Math.min(1, share)));
    }

    /** Tells that the store has released the lock, unless that turned out to be a loss. */
    private void tellReleased() {
        LeaseState.GivenUp how = loss.state.givenUp();
        if (how != null) {
            loss.context
                    .reports()
                    .event(
                            LeaseEvent.Type.RELEASED,
                            loss.state.key(),
                            loss.state.lockId(),
                            how.heldNanos(),
                            how.share(),
                            null);
        }
    }

    final boolean finished(@Nullable Ttl rest, ReleaseOutcome outcome) {
        loss.context.events().released(loss.state);
        if (outcome != ReleaseOutcome.RELEASED && !ambiguous && !loss.state.isMaybeReleased()) {
            loss.goneAtRelease(outcome == ReleaseOutcome.EXPIRED ? Reason.EXPIRED : Reason.GONE);
        }
        tellReleased();
        int mayArrive = loss.state.unanswered() + (rest == null ? 0 : unansweredExtensions());
        if (mayArrive > 0) {
            loss.context.compensations().releaseOnceMore(loss.state, rest != null, mayArrive);
        }
        return outcome == ReleaseOutcome.RELEASED;
    }

    /** A late one finds nothing after a release, but does find a lock that stays locked for its minimum. */
    private int unansweredExtensions() {
        return loss.state.term().pendingMs() == Term.NONE ? 0 : 1;
    }

    final LockException fail(CompletableFuture<Boolean> mine, Throwable thrown, Try how) {
        loss.state.giveUp(LeaseState.GivenUp.UNOBSERVED); // unless that is done
        LockException failure = translate(thrown);
        ambiguous |= failure.outcomeUnknown();
        if (how != Try.FIRST_OF_CLOSE || !failure.outcomeUnknown()) {
            boolean repeats = handOver(failure, how != Try.BY_HAND);
            failure = failure.withAdvice(
                    repeats
                            ? "it is repeated in the background until the lock expires"
                            : "it is not repeated; the lock expires at its ttl");
        }
        mine.completeExceptionally(failure);
        return failure;
    }

    /** Returns whether a failed release goes on in the background. */
    final boolean isRepeating() {
        return repeating != 0;
    }

    /** A failure goes on in the background; false if that is not possible. */
    private boolean handOver(LockException failure, boolean disposal) {
        if (REPEATING.compareAndSet(this, 0, 1)) {
            ambiguous = true; // the background may release it before the holder tries again
            loss.context.events().releaseFails(loss.state, failure, disposal);
            loss.context.events().released(loss.state);
            repeats = loss.context.compensations().repeatRelease(loss.state, loss.storedNanos());
        }
        return repeats;
    }

    final LockException translate(Throwable failure) {
        if (Failures.unwrap(failure) instanceof InFlight.ClosedException) {
            return new LockException(
                            Code.INTERNAL,
                            "the guard was closed before the release; the lock expires at its ttl",
                            failure)
                    .about(loss.state.key(), loss.state.lockId());
        }
        return Failures.translate(failure, loss.state.key(), loss.state.lockId());
    }
}
