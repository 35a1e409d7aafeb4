package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.LeaseObserver;
import dev.syncguard.spi.Timekeeper;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tells the application: by handlers, by the log, by events. Nothing that it does there, slow or throwing, reaches the
 * threads that keep leases alive.
 */
final class Reports {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");

    private final Timekeeper time;
    private final Executor threads;
    private final Executor application;
    private final LastResort lastResort;
    private final @Nullable LeaseObserver observer;

    /**
     * Creates the reports of one guard.
     *
     * @param threads the guard's own, where logging happens
     * @param application where handlers run
     */
    Reports(
            Timekeeper time,
            Executor threads,
            Executor application,
            LastResort lastResort,
            @Nullable LeaseObserver observer) {
        this.time = time;
        this.threads = threads;
        this.application = application;
        this.lastResort = lastResort;
        this.observer = observer;
    }

    /** Runs a handler of the application, never on the caller's thread; its failures are logged. */
    void handler(String what, Runnable handler) {
        hop(() -> {
            Runnable guarded = new Once(() -> {
                try {
                    handler.run();
                } catch (Throwable e) {
                    logHere(Level.WARNING, "the " + what + " handler threw", e);
                }
            });
            try {
                application.execute(guarded);
            } catch (Throwable e) {
                guarded.run(); // a closed executor must not hide a lost lease
            }
        });
    }

    void warn(String message) {
        hop(() -> logHere(Level.WARNING, message, null));
    }

    void debug(String message) {
        if (LOGGER.isLoggable(Level.DEBUG)) {
            hop(() -> logHere(Level.DEBUG, message, null));
        }
    }

    boolean isObserved() {
        return observer != null;
    }

    void acquiring(LockKey key, LockId lockId) {
        if (observer == null) {
            return;
        }
        try {
            observer.onAcquire(key, lockId);
        } catch (Throwable e) {
            observerThrew(e);
        }
    }

    void event(
            LeaseEvent.Type type,
            LockKey key,
            @Nullable LockId lockId,
            long nanos,
            double share,
            @Nullable LockException failure) {
        if (observer != null) {
            event(new LeaseEvent(type, key, lockId, nanos, share, failure));
        }
    }

    void event(LeaseEvent event) {
        if (observer == null) {
            return;
        }
        try {
            observer.onLeaseEvent(event);
        } catch (Throwable e) {
            observerThrew(e);
        }
    }

    private void observerThrew(Throwable e) {
        debug("an observer of leases threw " + e.getClass().getName());
    }

    private void hop(Runnable task) {
        hopOnce(new Once(task));
    }

    private void hopOnce(Runnable once) {
        try {
            time.execute(threads, once);
        } catch (Throwable e) {
            lastResort.run(once, () -> hopOnce(once));
        }
    }

    private static void logHere(Level level, String message, @Nullable Throwable thrown) {
        try {
            LOGGER.log(level, message, thrown);
        } catch (Throwable e) {
            // A broken log handler: there is no better place to say so.
        }
    }
}
