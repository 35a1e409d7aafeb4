package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.Timekeeper;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One acquire that waits on its caller's thread. */
final class BlockingAcquire implements Waiter {

    private final Guard guard;
    private final Acquisition acquisition;
    private final AbortSignal signal;
    private final Patience patience;
    private final Thread thread = Thread.currentThread();

    private final Turn turn = new Turn();
    private volatile boolean timeUp;
    private boolean warned;

    BlockingAcquire(Guard guard, LockKey key, LockOptions options, AbortSignal signal) {
        this.guard = guard;
        this.acquisition = new Acquisition(guard, key, options);
        this.signal = Objects.requireNonNull(signal, "signal");
        this.patience = new Patience(options.retryPolicy(), guard.time().nanoTime());
    }

    HeldLease await() {
        acquisition.throwIfCancelled(signal);
        LockKey key = acquisition.key();
        if (!patience.isPatient() || guard.room().enter(key, this)) {
            turn.startFirst();
        }
        AbortSignal.Registration registration = signal.onAbort(this::unpark);
        HeldLease lease = null;
        try {
            lease = loop();
            return lease;
        } finally {
            registration.close();
            guard.room().leave(key, this, lease);
            if (lease == null) {
                acquisition.giveUp();
            }
        }
    }

    private HeldLease loop() {
        while (true) {
            guard.ensureOpen();
            acquisition.throwIfCancelled(signal);
            long now = guard.time().nanoTime();
            if (turn.isOver(patience, now)) {
                throw acquisition.timeout(patience, now);
            }
            if (turn.isDue(patience, now)) {
                HeldLease lease = attempt();
                if (lease != null) {
                    return lease;
                }
            } else {
                sleep(now);
            }
        }
    }

    private @Nullable HeldLease attempt() {
        LockKey key = acquisition.key();
        patience.attempting(guard.time().nanoTime());
        AcquireOutcome outcome;
        try {
            outcome = guard.store().acquire(acquisition.request(guard.room().isSubscribed(key)), signal);
        } catch (LockException e) {
            if (!acquisition.mayRepeat(e)) {
                throw e;
            }
            refused(Long.MAX_VALUE);
            return null;
        }
        if (outcome instanceof Granted granted) {
            return deliver(acquisition.admit(granted));
        }
        refused(((Refused) outcome).grantableInMs());
        warnIfOwn();
        guard.room().subscribe(key);
        return null;
    }

    /** A caller that cancelled while the request was under way gets nothing; the grant goes back at once. */
    private HeldLease deliver(HeldLease lease) {
        if (acquisition.isCancelled(signal)) {
            lease.close();
            throw acquisition.aborted();
        }
        return lease;
    }

    private void refused(long grantableInMs) {
        long now = guard.time().nanoTime();
        patience.refused(now, grantableInMs);
        if (patience.isExhausted()) {
            throw acquisition.timeout(patience, now);
        }
    }

    private void warnIfOwn() {
        if (!warned) {
            warned = true;
            guard.warnIfHeldBy(thread, acquisition.key());
        }
    }

    private void sleep(long now) {
        boolean wasFirst = turn.isFirst();
        long left = patience.untilTimeout(now);
        timeUp = false;
        Timekeeper.Task timer =
                guard.time().schedule(wasFirst ? Math.min(left, patience.untilAttempt(now)) : left, this::timeUp);
        while (!timeUp && !hasReasonToLook(wasFirst)) {
            LockSupport.park(this);
        }
        timer.cancel();
    }

    private boolean hasReasonToLook(boolean wasFirst) {
        return turn.hasNews() || turn.isFirst() != wasFirst || acquisition.isCancelled(signal) || guard.isClosed();
    }

    private void timeUp() {
        timeUp = true;
        unpark();
    }

    @Override
    public void wake() {
        turn.wake();
        unpark();
    }

    @Override
    public void promote(long holderNanos) {
        turn.promote(holderNanos);
        unpark();
    }

    private void unpark() {
        LockSupport.unpark(thread);
    }
}
