package dev.syncguard.firestore;

import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A waiter's wish to be woken. */
final class LockSubscription implements Subscription {

    private final Runnable wakeUp;
    private final Consumer<LockSubscription> onClose;
    private volatile @Nullable LockListener listener;
    private volatile boolean closed;

    LockSubscription(Runnable wakeUp, Consumer<LockSubscription> onClose) {
        this.wakeUp = wakeUp;
        this.onClose = onClose;
    }

    /** Whoever joins a listener that stands already is woken at once (SIG-3). */
    void joined(LockListener joined) {
        listener = joined;
        if (joined.isActive()) {
            wake();
        }
    }

    void wake() {
        if (!closed) {
            wakeUp.run();
        }
    }

    @Override
    public boolean isActive() {
        LockListener joined = listener;
        return !closed && joined != null && joined.isActive();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.accept(this);
        }
    }
}
