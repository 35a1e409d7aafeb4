package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Drives one acquire without a thread of its own: a mailbox.
 *
 * <p>Whatever happens (a reply, news, a time) only counts up {@link #work}; the thread that counted up from zero steps until
 * the count is back at zero. So steps never overlap, none is missed, and the plain fields are safely handed from step to
 * step. Steps are quick: they send, set a timer, or hand the result to the completion executor.
 */
final class AsyncAcquire extends OfferedAcquire {

    private final AtomicInteger work = new AtomicInteger();

    private volatile @Nullable Object reply; // an outcome or a failure, without an object around it
    private boolean asking;
    private boolean done;
    private volatile boolean withoutLease;
    private @Nullable SendGate gate;
    private AbortSignal.Registration registration = AbortSignal.Registration.NONE;
    private Timekeeper.@Nullable Task timer;

    AsyncAcquire(
            AcquireContext context, LockKey key, LockOptions options, AbortSignal signal, boolean contentionIsResult) {
        super(context, key, options, signal, contentionIsResult);
    }

    /** Starts; the stage completes on the completion executor. Cancelling it cancels the acquire. */
    CompletableFuture<AcquireResult> start() {
        work.incrementAndGet();
        try {
            begin();
            join();
            if (signal != AbortSignal.none()) {
                registration = signal.onAbort(() -> tell(CANCELLED));
            }
            Stages.whenDone(result, (delivered, failure) -> settled(delivered));
        } catch (Throwable e) {
            fail(e);
        }
        drain();
        return result;
    }

    @Override
    long threadId(LockId id) {
        return -1L - (id.hashCode() & Integer.MAX_VALUE);
    }

    @Override
    void newsArrived() {
        if (work.getAndIncrement() == 0) {
            Turns.run(this::drain);
        }
    }

    private void drain() {
        int taken;
        do {
            taken = work.get();
            if (done) {
                lateReply();
            } else {
                step();
            }
        } while (work.addAndGet(-taken) != 0);
    }

    private void step() {
        try {
            AcquireResult outcome = advance();
            if (outcome != null) {
                complete(outcome);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private @Nullable AcquireResult advance() {
        LeaseHandle lease = readReply();
        if (lease != null) {
            return deliver(lease);
        }
        while (!done) {
            long now = context.clock().look();
            AcquireMachine.Step step = machine.next(now, takeNews() | callerNews());
            switch (step) {
                case ASK -> ask(now);
                case CALL_BACK -> {
                    if (gate == null || !gate.callBack()) {
                        if (context.async().queues() && machine.isTooLate(now)) {
                            abandon(); // the limit holds whatever holds up the request
                            return giveUp(AcquireMachine.Step.TIMED_OUT);
                        }
                        return null;
                    }
                    asking = false;
                    machine.calledBack(now);
                    continue;
                }
                case SLEEP -> setTimer(machine.wakeInNanos(now));
                case AWAIT_REPLY -> {}
                default -> {
                    return giveUp(step);
                }
            }
            return null;
        }
        return null;
    }

    private int callerNews() {
        int cancelled = isCancelled() || result.isDone() ? CANCELLED : 0;
        return context.inFlight().isClosing() ? cancelled | CLOSED : cancelled;
    }

    private void ask(long now) {
        AcquireRequest request = request(now);
        SendGate sending = new SendGate();
        gate = sending;
        if (waits() && context.async().queues()) {
            setTimer(machine.untilCallBackNanos(now));
        }
        asking = true;
        Stages.whenDone(context.async().acquire(request, signal, sending, this::late), (outcome, failure) -> {
            reply = failure == null ? outcome : failure;
            newsArrived();
        });
    }

    /** An answer to a call that was given up: what it grants belongs to this acquire if a later request got it, else to no client. */
    private void late(AcquireOutcome outcome) {
        if (outcome instanceof Granted && withoutLease) {
            takeBack(true);
        }
    }

    /** The reply to a request that was abandoned. */
    private void lateReply() {
        Object arrived = reply;
        if (asking && arrived != null) {
            asking = false;
            reply = null;
            if (arrived instanceof Granted) {
                takeBack(true);
            }
            machine.ended(context.clock().now());
            leaveLine(null);
            end();
        }
    }

    private @Nullable LeaseHandle readReply() {
        Object arrived = reply;
        if (!asking || arrived == null) {
            return null;
        }
        reply = null;
        asking = false;
        if (arrived instanceof Throwable failure) {
            failed(Failures.translate(failure, key, null));
            return null;
        }
        return replied((AcquireOutcome) arrived);
    }

    /** A caller that cancelled meanwhile hears of it after the grant has gone back. */
    private @Nullable AcquireResult deliver(LeaseHandle lease) {
        int news = callerNews();
        if ((news & (CANCELLED | CLOSED)) == 0) {
            return lease;
        }
        RuntimeException why = (news & CLOSED) != 0 ? InFlight.closedException() : aborted();
        CompletionStage<Boolean> closing = lease.closeUnused();
        leave(null, why);
        failAfter(closing, why);
        return null;
    }

    private void setTimer(long delayNanos) {
        if (timer != null) {
            timer.cancel();
        }
        timer = context.time().schedule(delayNanos, () -> tell(TIME));
    }

    private void complete(AcquireResult outcome) {
        if (outcome instanceof LeaseHandle lease) {
            leave(lease, null);
            handOver(lease);
        } else {
            leave(null, null);
            context.completion().run(() -> result.complete(outcome));
        }
    }

    private void fail(Throwable e) {
        leave(null, e);
        context.completion().run(() -> result.completeExceptionally(e));
    }

    private void leave(@Nullable LeaseHandle lease, @Nullable Throwable failure) {
        done = true;
        withoutLease = lease == null;
        registration.close();
        if (timer != null) {
            timer.cancel();
        }
        if (!asking) {
            leaveLine(lease); // a request that was abandoned keeps its turn until it is answered: one at a time
        }
        finish(lease, failure);
        if (lease == null && !asking) {
            end();
        }
    }
}
