package dev.syncguard.memory;

import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.function.Consumer;

/** A waiter's wish to be woken; active from the start, since nothing lies between it and the store. */
final class MemorySubscription implements Subscription {

    private final Consumer<MemorySubscription> remove;
    private final Runnable wakeUp;
    private volatile boolean active = true;

    MemorySubscription(Consumer<MemorySubscription> remove, Runnable wakeUp) {
        this.remove = remove;
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
        remove.accept(this);
    }
}
