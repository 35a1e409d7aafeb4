package dev.syncguard.telemetry;

import dev.syncguard.KeyHash;
import dev.syncguard.spi.LockBackend;

/**
 * A backend that sends a listener each operation, and the life of each lease of the guard on it.
 *
 * <p>A loss is reported as {@link LockEvent.Type#LOST}. The {@code RELEASE} that may follow it is the store's answer.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(TelemetryLockBackend.of(backend, event -> metrics.count(event)));
 * }</pre>
 */
public final class TelemetryLockBackend extends ObservedLockBackend {

    private final EventQueue queue;

    TelemetryLockBackend(LockBackend backend, EventQueue queue, KeyHash hash) {
        super(backend, new LockEvents(queue, new Identifiers(hash)));
        this.queue = queue;
    }

    /**
     * Wraps a backend with the defaults: hashes only.
     *
     * @param backend the backend; closed with this one
     * @param listener gets the events
     * @return the wrapped backend
     */
    public static TelemetryLockBackend of(LockBackend backend, LockEventListener listener) {
        return builder(backend, listener).build();
    }

    /**
     * Starts a wrapped backend with other settings.
     *
     * @param backend the backend; closed with the wrapped one
     * @param listener gets the events
     * @return a builder
     */
    public static TelemetryBuilder builder(LockBackend backend, LockEventListener listener) {
        return new TelemetryBuilder(backend, listener);
    }

    /**
     * Returns how many events were dropped, because the listener was too slow or its thread could not be started.
     *
     * @return a count that only grows
     */
    public long droppedEvents() {
        return queue.dropped();
    }

    /**
     * Returns how many events failed in the listener. The first failure is logged.
     *
     * @return a count that only grows
     */
    public long failedEvents() {
        return queue.failed();
    }

    /** Closes the backend, then delivers the events that are queued, for a second at most. */
    @Override
    public void close() {
        try {
            target().close();
        } finally {
            queue.close();
        }
    }
}
