package dev.syncguard.spi.support;

import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.function.BooleanSupplier;

/**
 * The subscription of one waiter: wakes it until it is closed.
 *
 * <p>A backend enters it among those that it wakes, and then {@linkplain #join joins} it to what listens to the store. A
 * subscription that is never joined is never active, and its waiter polls.
 */
public final class WakeUp implements Subscription {

    private final Runnable action;
    private volatile BooleanSupplier listening = () -> false;
    private volatile Runnable leave = () -> {};
    private volatile boolean open = true;

    /**
     * Creates a subscription that is not active yet.
     *
     * @param action what {@link #wake} does: returns at once and throws nothing
     */
    public WakeUp(Runnable action) {
        this.action = action;
    }

    /**
     * Says what the subscription depends on, once. If that listens already, the waiter is woken at once, because a release
     * may have been missed before (SIG-3). Not to be called with a lock held that {@code action} may need.
     *
     * @param listening whether a release would be noticed now
     * @param leave forgets this subscription
     */
    public void join(BooleanSupplier listening, Runnable leave) {
        this.leave = leave;
        this.listening = listening;
        if (isActive()) {
            wake();
        }
    }

    /** Wakes the waiter, unless the subscription is closed. */
    public void wake() {
        if (open) {
            action.run();
        }
    }

    @Override
    public boolean isActive() {
        return open && listening.getAsBoolean();
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            leave.run();
        }
    }
}
