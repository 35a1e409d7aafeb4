package dev.syncguard.spring.boot;

import dev.syncguard.SyncGuard;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the guard when the application stops: after whatever calls it (web server, listeners, executors, which stop in higher
 * phases), and before the connections of Redis (phase 0) and the beans of data sources are gone.
 */
final class GuardLifecycle implements SmartLifecycle {

    static final int PHASE = 1024;

    private final SyncGuard guard;
    private final Duration timeout;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile boolean running;

    GuardLifecycle(SyncGuard guard, Duration timeout) {
        if (timeout.isNegative()) {
            throw new InvalidSettingException("syncguard.shutdown-timeout", "it must not be negative");
        }
        this.guard = guard;
        this.timeout = timeout;
    }

    @Override
    public void start() {
        if (stopped.get()) {
            throw new IllegalStateException("the guard was closed when this application context stopped; it cannot be"
                    + " started again: create a new context");
        }
        running = true;
    }

    @Override
    public void stop() {
        if (stopped.compareAndSet(false, true)) {
            guard.shutdown(timeout);
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Tests pause contexts that they keep, from Spring 7 on; a closed guard could not go on after that. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
