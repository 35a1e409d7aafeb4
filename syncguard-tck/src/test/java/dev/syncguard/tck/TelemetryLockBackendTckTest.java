package dev.syncguard.tck;

import dev.syncguard.spi.LockBackend;
import dev.syncguard.telemetry.TelemetryLockBackend;

/** The contract through the telemetry decorator: wrapping a backend changes nothing. */
class TelemetryLockBackendTckTest extends MemoryLockBackendTckTest {

    @Override
    protected LockBackend createBackend() {
        return TelemetryLockBackend.of(super.createBackend(), event -> {});
    }
}
