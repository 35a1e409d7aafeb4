package dev.syncguard.internal;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.LockException;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The part of a lease that notices its loss, says why, and tells those who asked, once. */
class LeaseLoss {

    private static final long MILLI = 1_000_000;
    private static final long PAUSE_NANOS = 200 * MILLI;
    private static final String EARLY =
            "the store says so earlier than this process expected; the lock was shortened by its"
                    + " lock id, a clock was set, or this process was paused while it asked";

    @SuppressWarnings("rawtypes") // there is no class literal of a generic type
    private static final AtomicReferenceFieldUpdater<LeaseLoss, @Nullable CopyOnWriteArrayList> HANDLERS =
            AtomicReferenceFieldUpdater.newUpdater(LeaseLoss.class, CopyOnWriteArrayList.class, "handlers");

    final LeaseContext context;
    final LeaseState state;
    private volatile @Nullable CopyOnWriteArrayList<Consumer<LeaseLostException>> handlers;
    private volatile @Nullable Failing failing;
    private volatile boolean limitReached;
    private volatile @Nullable Runnable atOnce;

    /** Renewals that fail: the last failure, and since when there was no success. */
    private record Failing(LockException failure, long since) {
        String text(long now) {
            return "renewals had been failing for " + (now - since) / MILLI + " ms";
        }
    }

    LeaseLoss(LeaseContext context, LeaseState state) {
        this.context = context;
        this.state = state;
    }

    /** Runs something of the guard's own, quick and harmless, when the lease is lost, on the thread that notices. */
    final void whenLost(Runnable action) {
        atOnce = action;
        if (state.isLost()) {
            action.run();
        }
    }

    /** Calls a handler when the lease is lost, at once if it is. */
    final void tell(Consumer<LeaseLostException> handler) {
        CopyOnWriteArrayList<Consumer<LeaseLostException>> list = list();
        list.add(handler);
        if (state.isLost() && list.remove(handler)) {
            call(handler);
        }
    }

    private CopyOnWriteArrayList<Consumer<LeaseLostException>> list() {
        if (handlers == null) {
            HANDLERS.compareAndSet(this, null, new CopyOnWriteArrayList<>());
        }
        return Objects.requireNonNull(handlers);
    }

    private void call(Consumer<LeaseLostException> handler) {
        LeaseLostException loss = state.loss(null);
        if (loss != null) {
            context.reports().handler("onLost", () -> handler.accept(loss));
        }
    }

    final void renewalFailed(LockException failure, long now) {
        Failing before = failing;
        failing = new Failing(failure, before == null ? now : before.since);
    }

    private @Nullable LockException renewalFailure() {
        Failing current = failing;
        return current == null ? null : current.failure;
    }

    final void renewed() {
        failing = null;
    }

    final void limitReached() {
        limitReached = true;
    }

    /** Marks the lease as lost if its deadline has passed before anyone released it. */
    final void notice(long timerDueAt) {
        long now = context.clock().look();
        if (state.isHeld() && state.isOver(now)) {
            lose(new Loss(Reason.EXPIRED, explain(now, timerDueAt), renewalFailure()));
        }
    }

    final void notice() {
        notice(0);
    }

    private @Nullable String explain(long now, long timerDueAt) {
        Failing failure = failing;
        if (context.inFlight().isClosing()) {
            return "its guard was closed";
        }
        if (timerDueAt != 0 && now - timerDueAt > PAUSE_NANOS) {
            return "this process was paused for about " + (now - timerDueAt) / MILLI + " ms";
        }
        if (failure != null) {
            return failure.text(now);
        }
        if (limitReached) {
            return "it was held as long as holdAtMost allows";
        }
        return state.options().isAutoExtend() ? "no renewal was answered in time" : null;
    }

    /** The store no longer has the lock: a loss, unless the holder has given it up meanwhile. */
    final void gone(Reason reason) {
        lose(refused(reason));
    }

    /** The store no longer had the lock when its holder released it. */
    final void goneAtRelease(Reason reason) {
        if (state.loseAfterGivingUp(refused(reason))) {
            announce();
        }
    }

    /** The store has answered before the local deadline: no ttl is to blame. */
    private Loss refused(Reason reason) {
        Failing failure = failing;
        String early = reason == Reason.EXPIRED ? EARLY : null;
        String detail = failure != null ? failure.text(context.clock().now()) : early;
        return new Loss(reason, detail, renewalFailure());
    }

    /**
     * An extension may have come after the lock was given back: what is left of it is given back once more.
     *
     * @param mayArrive whether it may still be on its way
     */
    final void extendedLate(boolean mayArrive) {
        Minimum minimum = state.minimum();
        if (minimum != null && state.givenUp() != null) {
            state.mayBeReleased();
            context.compensations().repeatRelease(state, storedNanos(), mayArrive ? 1 : 0);
        }
    }

    final long storedNanos() {
        return Math.max(0, state.storedNanos());
    }

    private void lose(Loss loss) {
        if (state.lose(loss)) {
            announce();
        }
    }

    private void announce() {
        LeaseLostException loss = state.loss(null);
        if (loss == null) {
            return;
        }
        try {
            context.events().lost(state, loss);
        } finally {
            tellHolder();
        }
    }

    /** Whatever becomes of the event: the holder must stop. */
    private void tellHolder() {
        Runnable first = atOnce;
        if (first != null) {
            first.run();
        }
        CopyOnWriteArrayList<Consumer<LeaseLostException>> list = handlers;
        if (list != null) {
            list.forEach(handler -> {
                if (list.remove(handler)) {
                    call(handler);
                }
            });
        }
    }
}
