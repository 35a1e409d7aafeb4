package dev.syncguard.telemetry;

import dev.syncguard.spi.LeaseObserver;

/**
 * Sees each operation on a store, and the life of each lease, raw and on the threads that make them; see
 * {@link ObservedLockBackend}. For code that measures: implementations must be quick and must not block. What they throw is
 * ignored. To get sanitised events on a thread of their own, see {@link TelemetryLockBackend}.
 */
public interface LockObserver extends LeaseObserver {

    /**
     * An operation ended.
     *
     * @param operation what was done, and how it went
     */
    void onOperation(StoreOperation operation);
}
