package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Drives one acquire on its caller's thread, which parks while there is nothing to do. */
final class BlockingAcquire extends Acquire {

    private final Thread thread = Thread.currentThread();
    private boolean warned;

    BlockingAcquire(
            AcquireContext context, LockKey key, LockOptions options, AbortSignal signal, boolean contentionIsResult) {
        super(context, key, options, signal, contentionIsResult);
    }

    @Override
    long threadId(LockId id) {
        return thread.getId();
    }

    @Override
    void newsArrived() {
        LockSupport.unpark(thread);
    }

    AcquireResult await() {
        AcquireResult delivered = null;
        Throwable thrown = null;
        try {
            AcquireResult result = acquire();
            if (result instanceof LeaseHandle lease) {
                LastLook.at(lease, false);
            }
            delivered = result;
            return result;
        } catch (LockException e) {
            thrown = e;
            throw Failures.forCaller(e);
        } catch (Throwable e) {
            thrown = e;
            throw e;
        } finally {
            if (!(delivered instanceof LeaseHandle)) {
                notGranted(thrown);
            }
            end();
        }
    }

    private AcquireResult acquire() {
        LeaseHandle lease = null;
        AbortSignal.Registration registration = AbortSignal.Registration.NONE;
        try {
            begin();
            join();
            if (signal != AbortSignal.none()) {
                registration = signal.onAbort(() -> tell(CANCELLED));
            }
            AcquireResult result = loop();
            lease = result instanceof LeaseHandle handle ? handle : null;
            return result;
        } finally {
            leave(registration, lease);
        }
    }

    private void leave(AbortSignal.Registration registration, @Nullable LeaseHandle lease) {
        boolean left = false;
        try {
            registration.close();
            leaveLine(lease);
            context.compensations().restartStuck();
            left = true;
        } finally {
            if (!left && lease != null) {
                var unused = lease.closeUnused();
            }
        }
    }

    private AcquireResult loop() {
        long now = machine.startedAt();
        while (true) {
            int news = takeNews() | callerNews();
            LeaseHandle handedOver = handedOver();
            if (handedOver != null) {
                return deliver(handedOver);
            }
            AcquireMachine.Step step = machine.next(now, news);
            switch (step) {
                case ASK -> {
                    LeaseHandle lease = ask(now);
                    if (lease != null) {
                        return deliver(lease);
                    }
                }
                case SLEEP -> sleep(now);
                case ABORTED, CLOSED, TIMED_OUT -> {
                    return giveUp(step);
                }
                default -> throw new IllegalStateException(step + " while no request is under way");
            }
            now = context.clock().look();
        }
    }

    /** An interrupt cancels as the signal does; its flag stays set. */
    @Override
    boolean isCancelled() {
        return signal.isAborted() || Thread.currentThread().isInterrupted();
    }

    private @Nullable LeaseHandle ask(long now) {
        AcquireRequest request = request(now);
        AcquireOutcome outcome;
        try {
            outcome = context.store().acquire(request, signal);
        } catch (LockException e) {
            failed(e);
            return null;
        }
        return replied(outcome);
    }

    /** A caller that cancelled while the request was under way gets nothing; the grant goes back first. */
    private LeaseHandle deliver(LeaseHandle lease) {
        RuntimeException why = refused(callerNews() | takeNews());
        if (why != null) {
            lease.waiveHoldAtLeast();
            lease.close();
            throw why;
        }
        return lease;
    }

    private void sleep(long now) {
        Timekeeper.Task timer = context.time().schedule(machine.wakeInNanos(now), () -> tell(TIME));
        try {
            while (!hasNews() && callerNews() == 0) {
                context.time().park(this);
            }
        } finally {
            Cancelling.quietly(timer);
        }
    }

    /** Warns a thread that waits for a key it holds itself: locks belong to lock ids (decision W5). */
    @Override
    void contended() {
        FenceMemory.Seen seen = warned ? null : context.fences().recall(key);
        HeldLease holder = seen == null ? null : context.leases().find(seen.lockId());
        warned = true;
        if (holder != null
                && holder.state().isBelieved()
                && holder.state().threadId() == thread.getId()
                && holder.isFirstWarning()) {
            context.reports()
                    .warn("a thread waits for key " + key.hash()
                            + ", which it acquired itself: locks are not re-entrant");
        }
    }
}
