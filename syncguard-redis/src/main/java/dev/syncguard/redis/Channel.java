package dev.syncguard.redis;

import java.util.concurrent.TimeUnit;

/** One channel of the server. It stays subscribed for a while after the last waiter left, because more will come. */
abstract class Channel {

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private volatile boolean active;
    private volatile long leftNanos = System.nanoTime();

    Channel(String name) {
        this.name = name;
    }

    final String name() {
        return name;
    }

    final boolean isActive() {
        return active;
    }

    final void confirmed() {
        active = true;
        wake();
    }

    final void lost() {
        active = false;
    }

    /** A waiter leaves. */
    final void leaves() {
        leftNanos = System.nanoTime();
    }

    final boolean isIdle() {
        return isEmpty() && System.nanoTime() - leftNanos > LINGER_NANOS;
    }

    abstract boolean isEmpty();

    abstract void wake();

    /** Runs on a thread of the driver, and must not block. */
    abstract void message(String text);
}
