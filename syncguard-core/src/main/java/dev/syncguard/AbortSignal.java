package dev.syncguard;

import dev.syncguard.LockException.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the calls it was passed to, once and for good.
 *
 * <p>Honoured while waiting and before each request to the store. A request that is already under way is awaited; what it
 * was granted is released, then the call throws {@link Code#ABORTED}. A release is never cancelled.
 */
public final class AbortSignal {

    private static final AbortSignal NONE = new AbortSignal(false);

    private final boolean abortable;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable List<Runnable> listeners;
    private volatile boolean aborted;

    private AbortSignal(boolean abortable) {
        this.abortable = abortable;
    }

    /**
     * Returns the signal that never aborts.
     *
     * @return a shared instance
     */
    public static AbortSignal none() {
        return NONE;
    }

    /**
     * Makes a signal that {@link #abort()} fires.
     *
     * @return a new signal
     */
    public static AbortSignal create() {
        return new AbortSignal(true);
    }

    /** Cancels every call that this signal was or will be passed to. */
    public void abort() {
        if (!abortable) {
            throw new IllegalStateException("AbortSignal.none() cannot be aborted; use AbortSignal.create()");
        }
        List<Runnable> toRun;
        lock.lock();
        try {
            aborted = true;
            toRun = listeners == null ? List.of() : listeners;
            listeners = null;
        } finally {
            lock.unlock();
        }
        RuntimeException thrown = null;
        for (Runnable listener : toRun) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                thrown = e;
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /**
     * Tells whether the signal was fired.
     *
     * @return whether it is aborted
     */
    public boolean isAborted() {
        return aborted;
    }

    /**
     * Throws if the signal was fired.
     *
     * @throws LockException with {@link Code#ABORTED}
     */
    public void throwIfAborted() {
        if (aborted) {
            throw new LockException(Code.ABORTED, "the caller cancelled the operation");
        }
    }

    /**
     * Runs a listener when the signal fires, at once if it has fired. Listeners must be quick and must not throw.
     *
     * @param listener what to run, at most once
     * @return removes the listener
     */
    public Registration onAbort(Runnable listener) {
        if (!abortable) {
            return Registration.NONE;
        }
        lock.lock();
        try {
            if (!aborted) {
                if (listeners == null) {
                    listeners = new ArrayList<>(1);
                }
                listeners.add(listener);
                return () -> remove(listener);
            }
        } finally {
            lock.unlock();
        }
        listener.run();
        return Registration.NONE;
    }

    private void remove(Runnable listener) {
        lock.lock();
        try {
            if (listeners != null) {
                listeners.remove(listener);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Undoes {@link AbortSignal#onAbort}. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {

        /** Nothing to undo. */
        Registration NONE = () -> {};

        /** Removes the listener; it may be running at this moment. */
        @Override
        void close();
    }
}
