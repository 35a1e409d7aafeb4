package dev.syncguard.tck;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.Optional;

/** Looks into the store of a simulator. */
record SimulatorProbe(LockSimulator simulator) implements StoreProbe {

    @Override
    public Optional<StoredLock> stored(String key) {
        return simulator.stored(key);
    }

    @Override
    public void expire(String key) {
        simulator.expire(key);
    }

    @Override
    public void expireAgo(String key, Duration ago) {
        simulator.expireAgo(key, ago);
    }

    @Override
    public long fenceCounter(String key) {
        return simulator.fenceCounter(key);
    }

    @Override
    public void setFenceCounter(String key, long value) {
        simulator.setFenceCounter(key, value);
    }

    @Override
    public long nowMs() {
        return simulator.nowMs();
    }
}
