package dev.syncguard.telemetry;

/** Gets the events of a {@link TelemetryLockBackend}, one after the other, on a thread of its own. */
@FunctionalInterface
public interface LockEventListener {

    /**
     * Takes an event. However slow or broken this is, no lock operation is delayed or fails: events that do not fit into
     * the queue are dropped and counted, and whatever is thrown here is counted and logged once.
     *
     * @param event what happened
     */
    void onEvent(LockEvent event);
}
