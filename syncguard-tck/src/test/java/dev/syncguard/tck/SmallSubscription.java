package dev.syncguard.tck;

import dev.syncguard.spi.ReleaseSignals.Subscription;

/** A waiter of a {@link SmallStore}. */
class SmallSubscription implements Subscription {

    private final Runnable wakeUp;
    private volatile boolean active = true;

    SmallSubscription(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    void wake() {
        if (active) {
            wakeUp.run();
        }
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public void close() {
        active = false;
    }
}
