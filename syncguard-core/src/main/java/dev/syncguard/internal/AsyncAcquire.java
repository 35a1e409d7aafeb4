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
import org.jspecify.annotations.Nullable;

/**
 * Drives one acquire without a thread of its own: whatever happens (a reply, news, a time) goes to its {@link Mailbox}.
 *
 * <p>Steps are quick: they send, set a timer, or hand the result to the completion executor. They never overlap, so that most
 * fields are plain.
 */
final class AsyncAcquire extends OfferedAcquire {

    private final Mailbox mailbox = new Mailbox(this::turn);

    private boolean done;
    private volatile boolean withoutLease;
    private @Nullable AsyncRequest asked;
    private AbortSignal.Registration registration = AbortSignal.Registration.NONE;
    private Timekeeper.@Nullable Task timer;

    AsyncAcquire(
            AcquireContext context, LockKey key, LockOptions options, AbortSignal signal, boolean contentionIsResult) {
        super(context, key, options, signal, contentionIsResult);
    }

    /** Starts; the stage completes on the completion executor. Cancelling it cancels the acquire. */
    CompletableFuture<AcquireResult> start() {
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
        mailbox.run();
        return result;
    }

    @Override
    boolean isCancelled() {
        return signal.isAborted() || result.isDone();
    }

    @Override
    long threadId(LockId id) {
        return -1L - (id.hashCode() & Integer.MAX_VALUE);
    }

    @Override
    void newsArrived() {
        mailbox.put();
    }

    private void turn() {
        if (done) {
            lateReply();
        } else {
            step();
        }
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
            return unlessCancelled(lease);
        }
        int news = takeNews() | callerNews();
        LeaseHandle handedOver = handedOver();
        if (handedOver != null) {
            return unlessCancelled(handedOver);
        }
        long now = context.clock().look();
        AcquireMachine.Step step = machine.next(now, news);
        while (step == AcquireMachine.Step.CALL_BACK && callBack(now)) {
            now = context.clock().look();
            step = machine.next(now, takeNews() | callerNews());
        }
        switch (step) {
            case ASK -> ask(now);
            case CALL_BACK -> {
                if (context.async().queues() && machine.isTooLate(now)) {
                    abandon(); // the limit holds whatever holds up the request
                    return giveUp(AcquireMachine.Step.TIMED_OUT);
                }
            }
            case SLEEP -> setTimer(machine.wakeInNanos(now));
            case AWAIT_REPLY -> {}
            default -> {
                return giveUp(step);
            }
        }
        return null;
    }

    private void ask(long now) {
        AcquireRequest request = request(now);
        AsyncRequest asking = new AsyncRequest();
        if (waits() && context.async().queues()) {
            setTimer(machine.untilCallBackNanos(now));
        }
        asked = asking;
        Stages.whenDone(context.async().acquire(request, signal, asking, this::late), (outcome, failure) -> {
            asking.answered(outcome, failure);
            newsArrived();
        });
    }

    /** Returns whether the request has not been sent, and will not be. */
    private boolean callBack(long now) {
        if (asked == null || !asked.callBack()) {
            return false;
        }
        asked = null;
        machine.calledBack(now);
        return true;
    }

    /** An answer to a call that was given up: what it grants belongs to this acquire if a later request got it, else to no client. */
    private void late(AcquireOutcome outcome) {
        if (outcome instanceof Granted && withoutLease) {
            takeBack(true);
        }
    }

    /** The reply to a request that was abandoned. */
    private void lateReply() {
        Object arrived = takeReply();
        if (arrived != null) {
            try {
                if (arrived instanceof Granted) {
                    takeBack(true);
                }
                machine.ended(context.clock().now());
            } finally {
                leaveLine(null);
                end();
            }
        }
    }

    private @Nullable LeaseHandle readReply() {
        Object arrived = takeReply();
        if (arrived instanceof Throwable failure) {
            failed(Failures.translate(failure, key, null));
        }
        return arrived instanceof AcquireOutcome outcome ? replied(outcome) : null;
    }

    private @Nullable Object takeReply() {
        Object arrived = asked == null ? null : asked.reply();
        if (arrived != null) {
            asked = null;
        }
        return arrived;
    }

    private void setTimer(long delayNanos) {
        Cancelling.quietly(timer);
        timer = context.time().schedule(delayNanos, () -> tell(TIME));
    }

    @Override
    void leave(@Nullable LeaseHandle lease, @Nullable Throwable failure) {
        done = true;
        withoutLease = lease == null;
        registration.close();
        Cancelling.quietly(timer);
        if (asked == null) {
            leaveLine(lease); // a request that was abandoned keeps its turn until it is answered: one at a time
        }
        context.compensations().restartStuck();
        if (lease == null) {
            notGranted(failure);
        }
        if (lease == null && asked == null) {
            end();
        }
    }
}
