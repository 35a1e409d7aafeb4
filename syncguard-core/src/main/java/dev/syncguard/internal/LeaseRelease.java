package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Gives up one lease: the lock is released, or stays locked until its minimum is over ({@link ReleaseStep}).
 *
 * <p>From the first call on the holder has given it up, whatever the store answers. One request is under way at a time;
 * others wait for it. One that failed may be repeated by hand; what else its answer means is for {@link ReleaseEnd}.
 */
class LeaseRelease extends ReleaseEnd {

    private static final long SECOND = 1_000_000_000;

    @SuppressWarnings("rawtypes") // there is no class literal of a generic type
    private static final AtomicReferenceFieldUpdater<LeaseRelease, @Nullable CompletableFuture> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRelease.class, CompletableFuture.class, "current");

    private volatile @Nullable CompletableFuture<Boolean> current;

    LeaseRelease(LeaseLoss loss) {
        super(loss);
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
}
