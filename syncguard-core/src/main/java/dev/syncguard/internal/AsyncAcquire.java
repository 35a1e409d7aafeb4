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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One acquire that waits without a thread.
 *
 * <p>Whatever happens (a reply, a wake-up, a timer, a cancellation) only counts up {@link #work}; whoever counted up from
 * zero runs {@link #step()} until the count is back at zero. So steps never overlap, none is missed, and the plain fields
 * are safely handed from step to step.
 */
final class AsyncAcquire implements Waiter {

    private final Guard guard;
    private final Acquisition acquisition;
    private final AbortSignal signal;
    private final Patience patience;
    private final CompletableFuture<HeldLease> result = new CompletableFuture<>();
    private final AtomicInteger work = new AtomicInteger();

    private final Turn turn = new Turn();
    private volatile @Nullable Reply reply;

    private boolean asking;
    private boolean done;
    private AbortSignal.Registration registration = AbortSignal.Registration.NONE;
    private Timekeeper.@Nullable Task timer;

    private record Reply(
            @Nullable AcquireOutcome outcome, @Nullable Throwable failure) {}

    AsyncAcquire(Guard guard, LockKey key, LockOptions options, AbortSignal signal) {
        this.guard = guard;
        this.acquisition = new Acquisition(guard, key, options);
        this.signal = Objects.requireNonNull(signal, "signal");
        this.patience = new Patience(options.retryPolicy(), guard.time().nanoTime());
    }

    CompletableFuture<HeldLease> start() {
        work.incrementAndGet();
        if (!patience.isPatient() || guard.room().enter(acquisition.key(), this)) {
            turn.startFirst();
        }
        registration = signal.onAbort(this::resume);
        onEnd(result);
        drain();
        return result;
    }

    /** A caller that cancels its stage ends it: have a look then. */
    private void onEnd(CompletionStage<?> stage) {
        stage.whenComplete((lease, failure) -> resume());
    }

    @Override
    public void wake() {
        turn.wake();
        resume();
    }

    @Override
    public void promote(long holderNanos) {
        turn.promote(holderNanos);
        resume();
    }

    /** Goes on elsewhere: the caller may be a timer or somebody else's release. */
    private void resume() {
        if (work.getAndIncrement() == 0) {
            try {
                guard.workers().acquires().execute(this::drain);
            } catch (RejectedExecutionException e) {
                drain();
            }
        }
    }

    /** Goes on here: the caller brings the reply of the store. */
    private void replied(@Nullable AcquireOutcome outcome, @Nullable Throwable failure) {
        reply = new Reply(outcome, failure);
        if (work.getAndIncrement() == 0) {
            drain();
        }
    }

    private void drain() {
        int taken;
        do {
            taken = work.get();
            step();
        } while (work.addAndGet(-taken) != 0);
    }

    private void step() {
        if (done) {
            return;
        }
        try {
            HeldLease lease = advance();
            if (lease != null) {
                finish(lease);
                if (!result.complete(lease)) {
                    lease.closeAsync();
                }
            }
        } catch (RuntimeException | Error e) {
            finish(null);
            acquisition.giveUp();
            result.completeExceptionally(e);
        }
    }

    private @Nullable HeldLease advance() {
        if (asking) {
            Reply arrived = reply;
            if (arrived == null) {
                return null;
            }
            reply = null;
            asking = false;
            HeldLease lease = read(arrived);
            if (lease != null || done) {
                return lease;
            }
        }
        guard.ensureOpen();
        if (isCancelled()) {
            throw acquisition.aborted();
        }
        long now = guard.time().nanoTime();
        if (turn.isOver(patience, now)) {
            throw acquisition.timeout(patience, now);
        }
        if (turn.isDue(patience, now)) {
            ask(now);
        } else {
            sleep(now);
        }
        return null;
    }

    private boolean isCancelled() {
        return signal.isAborted() || result.isDone();
    }

    private void ask(long now) {
        LockKey key = acquisition.key();
        patience.attempting(now);
        asking = true;
        guard.store()
                .acquireAsync(acquisition.request(guard.room().isSubscribed(key)), signal)
                .whenComplete(this::replied);
    }

    private @Nullable HeldLease read(Reply arrived) {
        if (arrived.failure != null) {
            LockException failure = Store.translate(arrived.failure, acquisition.key(), null);
            if (!acquisition.mayRepeat(failure)) {
                throw failure;
            }
            refused(Long.MAX_VALUE);
        } else if (arrived.outcome instanceof Granted granted) {
            return deliver(acquisition.admit(granted));
        } else if (arrived.outcome instanceof Refused refused) {
            refused(refused.grantableInMs());
            guard.room().subscribe(acquisition.key());
        }
        return null;
    }

    /** A caller that cancelled meanwhile hears of it after the grant has gone back. */
    private @Nullable HeldLease deliver(HeldLease lease) {
        if (!isCancelled()) {
            return lease;
        }
        finish(null);
        lease.closeAsync().whenComplete((closed, impossible) -> result.completeExceptionally(acquisition.aborted()));
        return null;
    }

    private void refused(long grantableInMs) {
        long now = guard.time().nanoTime();
        patience.refused(now, grantableInMs);
        if (patience.isExhausted()) {
            throw acquisition.timeout(patience, now);
        }
    }

    private void sleep(long now) {
        if (timer != null) {
            timer.cancel();
        }
        long left = patience.untilTimeout(now);
        timer = guard.time().schedule(turn.isFirst() ? Math.min(left, patience.untilAttempt(now)) : left, this::resume);
    }

    private void finish(@Nullable HeldLease lease) {
        done = true;
        registration.close();
        if (timer != null) {
            timer.cancel();
        }
        guard.room().leave(acquisition.key(), this, lease);
    }
}
