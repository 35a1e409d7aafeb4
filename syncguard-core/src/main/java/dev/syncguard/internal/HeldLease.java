package dev.syncguard.internal;

import dev.syncguard.LeaseLostException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease of this process: its state, and what renews, extends and releases it; these are created when they are needed. */
final class HeldLease extends LeaseLoss {

    private static final AtomicReferenceFieldUpdater<HeldLease, @Nullable LeaseWatch> WATCH =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, LeaseWatch.class, "watch");
    private static final AtomicReferenceFieldUpdater<HeldLease, @Nullable LeaseExtension> EXTENSION =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, LeaseExtension.class, "extension");

    private final LeaseDisposal release;
    private volatile @Nullable LeaseWatch watch;
    private volatile @Nullable LeaseExtension extension;
    private volatile boolean warned;

    HeldLease(LeaseContext context, LeaseState state) {
        super(context, state);
        this.release = new LeaseDisposal(this);
    }

    /**
     * Starts the renewal and the watch over the deadline, if the options ask for them the lease has to be confirmed,
     * or an observer is to hear of the end.
     */
    void start() {
        Optional<Consumer<LeaseLostException>> handler = state.options().onLost();
        if (handler.isPresent()) {
            tell(handler.get());
        }
        if (handler.isPresent()
                || state.options().isAutoExtend()
                || state.isUnconfirmed()
                || context.reports().isObserved()) {
            watch().start();
        }
    }

    LeaseContext context() {
        return context;
    }

    LeaseState state() {
        return state;
    }

    LeaseDisposal release() {
        return release;
    }

    LeaseExtension extension() {
        if (extension == null) {
            EXTENSION.compareAndSet(this, null, new LeaseExtension(context, state, this, watch()));
        }
        return Objects.requireNonNull(extension);
    }

    private LeaseWatch watch() {
        if (watch == null) {
            WATCH.compareAndSet(this, null, new LeaseWatch(context, state, this));
        }
        return Objects.requireNonNull(watch);
    }

    /** Interrupts a body when the lease is lost, whatever the application's executor does. */
    void interruptOnLoss(Runnable interrupt) {
        whenLost(interrupt);
        watch().start();
    }

    void onLost(Consumer<LeaseLostException> handler) {
        tell(handler);
        watch().start();
    }

    /** Notices if the deadline has passed, and how late that is. */
    void look() {
        LeaseWatch watching = watch;
        notice(watching == null ? 0 : watching.dueAt());
    }

    /** Returns once that a warning about this lease has not been given yet. */
    boolean isFirstWarning() {
        boolean firstOne = !warned;
        warned = true;
        return firstOne;
    }
}
