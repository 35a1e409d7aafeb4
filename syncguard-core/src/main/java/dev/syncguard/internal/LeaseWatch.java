package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.spi.Timekeeper;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Renews a lease each time a third of its ttl has passed, and notices when its deadline passes.
 *
 * <p>Exactly one timer is set at any time until {@link #stop()}: for the next renewal or the deadline, whichever comes
 * first. While a renewal is under way the timer stands at the deadline, so that a store that does not answer cannot hide
 * the loss. A failed renewal is tried again soon: as long as the lease lasts there is nothing to lose.
 */
final class LeaseWatch {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long LONGEST_PAUSE = 1_000_000_000;
    private static final long SHORTEST_PAUSE = 1_000_000;

    private final Guard guard;
    private final HeldLease lease;
    private final boolean renews;
    private final ReentrantLock lock = new ReentrantLock();

    private long renewAt;
    private boolean renewing;
    private boolean warned;
    private boolean stopped;
    private Timekeeper.@Nullable Task timer;

    LeaseWatch(Guard guard, HeldLease lease, boolean renews, long dispatched) {
        this.guard = guard;
        this.lease = lease;
        this.renews = renews;
        this.renewAt = dispatched;
    }

    void start() {
        extended(renewAt);
    }

    /** The lease was granted or extended by a request sent at the given time. */
    void extended(long dispatched) {
        lock.lock();
        try {
            renewAt = dispatched + lease.ttl().nanos() / 3;
            warned = false;
            arm();
        } finally {
            lock.unlock();
        }
    }

    void deadlineMoved() {
        lock.lock();
        try {
            arm();
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopped = true;
            cancelTimer();
        } finally {
            lock.unlock();
        }
    }

    private void arm() {
        cancelTimer();
        if (!stopped) {
            long now = guard.time().nanoTime();
            long untilDeadline = lease.deadline() - now;
            boolean renewalNext = renews && !renewing;
            timer = guard.time()
                    .schedule(renewalNext ? Math.min(renewAt - now, untilDeadline) : untilDeadline, this::timeUp);
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void timeUp() {
        if (lease.remainingNanos() <= 0) {
            lease.noticeExpiry();
            return;
        }
        lock.lock();
        try {
            boolean due =
                    renews && !renewing && !stopped && renewAt - guard.time().nanoTime() <= 0;
            if (!due) {
                arm();
                return;
            }
            renewing = true;
            arm();
        } finally {
            lock.unlock();
        }
        CompletionStage<Boolean> renewal = lease.renew();
        if (renewal == null) {
            renewed(null);
        } else {
            renewal.whenComplete((extended, failure) -> renewed(failure));
        }
    }

    private void renewed(@Nullable Throwable failure) {
        lock.lock();
        try {
            renewing = false;
            if (failure != null) {
                warnOnce(failure);
            }
            long now = guard.time().nanoTime();
            if (renewAt - now <= 0) {
                renewAt = now + pause();
            }
            arm();
        } finally {
            lock.unlock();
        }
    }

    private long pause() {
        return Math.max(SHORTEST_PAUSE, Math.min(LONGEST_PAUSE, lease.ttl().nanos() / 20));
    }

    private void warnOnce(Throwable failure) {
        if (!warned) {
            warned = true;
            LockException cause = Store.translate(failure, lease.key(), lease.lockId());
            LOGGER.log(
                    Level.WARNING,
                    "a lease of key {0} could not be extended, trying again while it lasts: {1}",
                    lease.keyHash(),
                    cause.getMessage());
        }
    }
}
