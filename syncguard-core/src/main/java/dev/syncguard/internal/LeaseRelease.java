package dev.syncguard.internal;

import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.Ttl;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Gives up one lease: the lock is released, or stays locked until its minimum is over ({@link ReleaseStep}).
 *
 * <p>From the first call on the holder has given it up, whatever the store answers. One request is under way at a time;
 * others wait for it. A request that failed is repeated in the background until the lock is gone, and may be repeated by
 * hand.
 */
class LeaseRelease {

    private static final long SECOND = 1_000_000_000;

    @SuppressWarnings("rawtypes") // there is no class literal of a generic type
    private static final AtomicReferenceFieldUpdater<LeaseRelease, @Nullable CompletableFuture> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRelease.class, CompletableFuture.class, "current");

    private static final AtomicIntegerFieldUpdater<LeaseRelease> REPEATING =
            AtomicIntegerFieldUpdater.newUpdater(LeaseRelease.class, "repeating");

    final LeaseLoss loss;
    private volatile @Nullable CompletableFuture<Boolean> current;
    private volatile int repeating;
    private volatile boolean repeats;
    /** Whether an earlier request or the background may have released the lock: then not finding it is no loss. */
    private volatile boolean ambiguous;

    LeaseRelease(LeaseLoss loss) {
        this.loss = loss;
    }

    /** Who releases, and whether it tries again if the outcome is unknown. */
    enum Try {
        BY_HAND,
        FIRST_OF_CLOSE,
        LAST_OF_CLOSE
    }

    /** Releases on the caller's thread. */
    final boolean release() {
        return release(Try.BY_HAND);
    }

    final boolean release(Try how) {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> theirs;
        begin();
        try {
            theirs = claim(mine);
            if (theirs == null) {
                boolean released = send();
                mine.complete(released);
                return released;
            }
        } catch (Throwable e) {
            throw Failures.forCaller(fail(mine, e, how));
        } finally {
            loss.context.inFlight().end();
        }
        return joinOther(theirs, how);
    }

    private boolean send() {
        Ttl rest = rest();
        LeaseState state = loss.state;
        ReleaseOutcome outcome = ReleaseStep.send(loss.context.store(), state.key(), state.lockId(), rest);
        return finished(rest, outcome);
    }

    final CompletableFuture<Boolean> releaseAsync() {
        return releaseAsync(Try.BY_HAND);
    }

    final CompletableFuture<Boolean> releaseAsync(Try how) {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        try {
            begin();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        boolean sent = false;
        try {
            CompletableFuture<Boolean> theirs = claim(mine);
            if (theirs != null) {
                return theirs.thenApply(done -> false);
            }
            send(mine, how);
            sent = true;
        } catch (Throwable e) {
            fail(mine, e, how);
        } finally {
            if (!sent) {
                loss.context.inFlight().end();
            }
        }
        return mine;
    }

    private void send(CompletableFuture<Boolean> mine, Try how) {
        Ttl rest = rest();
        LeaseState state = loss.state;
        var answer = ReleaseStep.send(loss.context.async(), state.key(), state.lockId(), rest);
        Stages.whenDone(answer, (outcome, failure) -> {
            try {
                if (failure == null) {
                    mine.complete(finished(rest, outcome));
                } else {
                    fail(mine, failure, how);
                }
            } catch (Throwable e) {
                fail(mine, e, Try.LAST_OF_CLOSE);
            } finally {
                loss.context.inFlight().end();
            }
        });
    }

    /** Counts the release as under way before the lease is given up: a shutdown that waits for one must see the other. */
    private void begin() {
        try {
            loss.context.inFlight().begin();
        } catch (RuntimeException closed) {
            loss.notice();
            giveUp();
            throw closed;
        }
    }

    /** What is left of the minimum that the lock stays locked; it may be over by the time of a repetition. */
    private @Nullable Ttl rest() {
        LeaseState state = loss.state;
        Ttl rest = Minimum.rest(state.minimum(), loss.context.clock());
        if (rest != null) {
            state.asking(rest, loss.context.clock().now());
        }
        return rest;
    }

    /** Takes the right to send a request; if another caller has it and has not failed, returns theirs. */
    private @Nullable CompletableFuture<Boolean> claim(CompletableFuture<Boolean> mine) {
        loss.notice();
        while (true) {
            CompletableFuture<Boolean> other = current;
            if (other != null && !other.isCompletedExceptionally()) {
                return other;
            }
            if (CURRENT.compareAndSet(this, other, mine)) {
                if (other == null) {
                    giveUp();
                }
                return null;
            }
        }
    }

    private void giveUp() {
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

    /** Waits for the request of another caller; at the end of a block not longer than for one of its own. */
    private boolean joinOther(CompletableFuture<Boolean> other, Try how) {
        long timeout = loss.context.store().commandTimeoutNanos();
        if (!Waits.untilDone(other, how == Try.BY_HAND ? 3 * timeout + SECOND : timeout)) {
            throw translate(new LockException(
                    Code.NETWORK_TIMEOUT, "another release of this lease is not answered", null, true));
        }
        try {
            other.join();
            return false;
        } catch (RuntimeException e) {
            throw Failures.forCaller(translate(e));
        }
    }

    private boolean finished(@Nullable Ttl rest, ReleaseOutcome outcome) {
        loss.context.events().released(loss.state);
        if (outcome != ReleaseOutcome.RELEASED && !ambiguous && !loss.state.isMaybeReleased()) {
            loss.goneAtRelease(outcome == ReleaseOutcome.EXPIRED ? Reason.EXPIRED : Reason.GONE);
        }
        tellReleased();
        int mayArrive = loss.state.unanswered() + (rest == null ? 0 : unansweredExtensions());
        if (mayArrive > 0) {
            loss.context
                    .compensations()
                    .releaseOnceMore(
                            loss.state.key(),
                            loss.state.lockId(),
                            Minimum.ttl(loss.state.options()).nanos(),
                            rest != null,
                            mayArrive,
                            loss.state.minimum());
        }
        return outcome == ReleaseOutcome.RELEASED;
    }

    /** A late one finds nothing after a release, but does find a lock that stays locked for its minimum. */
    private int unansweredExtensions() {
        return loss.state.term().pendingMs() == Term.NONE ? 0 : 1;
    }

    private LockException fail(CompletableFuture<Boolean> mine, Throwable thrown, Try how) {
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
            repeats = loss.context
                    .compensations()
                    .repeatRelease(
                            loss.state.key(),
                            loss.state.lockId(),
                            loss.storedNanos(),
                            loss.state.unanswered(),
                            loss.state.minimum());
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
