package dev.syncguard;

import static dev.syncguard.Arguments.required;

import dev.syncguard.LockException.Code;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the calls it was passed to, once and for good.
 *
 * <p>Honoured while waiting and before each request to the store. A request that is already under way is awaited; what it
 * was granted is released, then the call throws {@link Code#ABORTED}. A release is never cancelled.
 *
 * <pre>{@code
 * AbortSignal shutdown = AbortSignal.create();
 * guard.acquire("job", options, AbortSignal.any(shutdown, AbortSignal.timeout(Duration.ofSeconds(5))));
 * }</pre>
 */
public final class AbortSignal {

    private static final AbortSignal NONE = new AbortSignal(false, null);

    private final boolean abortable;
    private final @Nullable AbortSource source;
    private final AbortListeners listeners;
    private volatile boolean aborted;

    private AbortSignal(boolean abortable, @Nullable AbortSource source) {
        this.abortable = abortable;
        this.source = source;
        this.listeners = new AbortListeners(source, this::abort);
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
     * Creates a signal that {@link #abort()} fires.
     *
     * @return a new signal
     */
    public static AbortSignal create() {
        return new AbortSignal(true, null);
    }

    /**
     * Creates a signal that fires by itself, by the clock of this process, or earlier by {@link #abort()}. Its listeners run
     * on a thread that all such signals share. A signal that nothing waits for costs neither a thread nor a timer.
     *
     * @param delay how long from now; zero or less has fired already
     * @return a new signal
     */
    public static AbortSignal timeout(Duration delay) {
        return new AbortSignal(true, AbortSource.timeout(required("delay", delay)));
    }

    /**
     * Creates a signal that fires with the first of others, or earlier by its own {@link #abort()}, which leaves the others
     * alone. It is listed with the others only while it has listeners itself, that is while a call waits: many short-lived
     * ones may be derived from one that lives as long as the application.
     *
     * @param signals the others; none means that only {@link #abort()} fires it
     * @return a new signal
     */
    public static AbortSignal any(AbortSignal... signals) {
        for (AbortSignal signal : required("signals", signals)) {
            required("signal", signal);
        }
        return new AbortSignal(true, AbortSource.anyOf(List.of(signals)));
    }

    /**
     * Cancels every call that this signal was or will be passed to. Every listener runs, also if others throw; then the first
     * failure is thrown.
     */
    public void abort() {
        if (!abortable) {
            throw new IllegalStateException("AbortSignal.none() cannot be aborted; use AbortSignal.create()");
        }
        aborted = true;
        listeners.fire();
    }

    /**
     * Returns whether the signal was fired.
     *
     * @return whether it is aborted
     */
    public boolean isAborted() {
        if (!aborted && source != null && source.hasFired()) {
            aborted = true; // the source itself tells the listeners
        }
        return aborted;
    }

    /**
     * Throws if the signal was fired.
     *
     * @throws LockException with {@link Code#ABORTED}
     */
    public void throwIfAborted() {
        if (isAborted()) {
            throw new LockException(Code.ABORTED, "the caller cancelled the operation");
        }
    }

    /**
     * Runs a listener when the signal fires, at once if it has fired. Listeners must be quick and must not throw. A listener
     * keeps its signal in memory until it is removed.
     *
     * @param listener what to run, at most once
     * @return removes the listener
     */
    public Registration onAbort(Runnable listener) {
        required("listener", listener);
        if (!abortable) {
            return Registration.NONE;
        }
        Registration registration = isAborted() ? null : listeners.add(listener);
        if (registration == null) {
            listener.run();
            return Registration.NONE;
        }
        return registration;
    }

    /** For tests. */
    int listeners() {
        return listeners.size();
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
