package dev.syncguard.tck;

import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;

/** The contract on the in-memory store, in simulated time. */
class MemoryLockBackendTckTest extends LockBackendTck {

    final LockSimulator simulator = new LockSimulator();

    @Override
    protected LockBackend createBackend() {
        return simulator.newBackend();
    }

    @Override
    protected StoreProbe store() {
        return new SimulatorProbe(simulator);
    }

    @Override
    protected SyncGuard createGuard() {
        return simulator.newGuard();
    }

    @Override
    protected void passTime(Duration duration) {
        simulator.advance(duration);
    }
}
