package dev.syncguard.telemetry;

import dev.syncguard.KeyHash;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.support.Settings;
import java.util.function.Predicate;

/** Creates a {@link TelemetryLockBackend} with settings of its own. */
public final class TelemetryBuilder {

    private final LockBackend backend;
    private final LockEventListener listener;
    private Predicate<LockEvent> includeRaw = event -> false;
    private KeyHash hash = KeyHash.canonical();
    private int queueCapacity = 1024;

    TelemetryBuilder(LockBackend backend, LockEventListener listener) {
        this.backend = Settings.required("backend", backend);
        this.listener = Settings.required("listener", listener);
    }

    /**
     * Sets whether events carry raw keys and lock ids. They are secrets of the application: for debugging only.
     *
     * @param include whether they do
     * @return this builder
     */
    public TelemetryBuilder includeRaw(boolean include) {
        return includeRaw(event -> include);
    }

    /**
     * Sets which events carry raw keys and lock ids. A predicate that throws anything means no.
     *
     * @param include sees the event as it would be with them
     * @return this builder
     */
    public TelemetryBuilder includeRaw(Predicate<LockEvent> include) {
        this.includeRaw = Settings.required("includeRaw", include);
        return this;
    }

    /**
     * Sets how lock ids are hashed; keys are hashed as the guard says.
     *
     * @param hash the same as at the guard
     * @return this builder
     */
    public TelemetryBuilder hash(KeyHash hash) {
        this.hash = Settings.required("hash", hash);
        return this;
    }

    /**
     * Sets how many events may wait for the listener before further ones are dropped.
     *
     * @param capacity 1 or more; 1024 if not set
     * @return this builder
     */
    public TelemetryBuilder queueCapacity(int capacity) {
        if (capacity < 1) {
            throw new LockException(Code.INVALID_ARGUMENT, "queueCapacity is 1 or more");
        }
        this.queueCapacity = capacity;
        return this;
    }

    /**
     * Creates the backend.
     *
     * @return the wrapped backend
     */
    public TelemetryLockBackend build() {
        return new TelemetryLockBackend(backend, new EventQueue(listener, includeRaw, queueCapacity), hash);
    }
}
