package dev.syncguard.redis;

import dev.syncguard.spi.ReleaseSignals.Subscription;
import org.jspecify.annotations.Nullable;

/** A waiter's wish to be woken. */
final class SignalSubscription implements Subscription {

    private final Runnable wakeUp;
    private volatile @Nullable SignalChannel channel;

    SignalSubscription(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    void join(SignalChannel joined) {
        channel = joined;
    }

    void wake() {
        if (channel != null) {
            wakeUp.run();
        }
    }

    @Override
    public boolean isActive() {
        SignalChannel joined = channel;
        return joined != null && joined.isActive();
    }

    @Override
    public void close() {
        SignalChannel joined = channel;
        channel = null;
        if (joined != null) {
            joined.remove(this);
        }
    }
}
