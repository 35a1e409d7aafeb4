package dev.syncguard.tck;

import dev.syncguard.Fence;
import dev.syncguard.memory.LockSimulator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The contract on the guard of the simulator. */
class MemoryFenceGuardTckTest extends FenceGuardTck implements FencedStore {

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final LockSimulator simulator = new LockSimulator();
    private final Map<String, String> values = new ConcurrentHashMap<>();

    @Override
    protected FencedStore store() {
        return this;
    }

    @Override
    public void write(String resource, Fence fence, String value) {
        simulator.fenceGuard().advance(resource, fence, () -> values.put(resource, value));
    }

    @Override
    public boolean writeAndCrash(String resource, Fence fence, String value) {
        try {
            simulator.fenceGuard().advance(resource, fence, () -> {
                throw new Crash();
            });
            return false;
        } catch (Crash e) {
            return true;
        }
    }

    @Override
    public Optional<String> read(String resource) {
        return Optional.ofNullable(values.get(resource));
    }

    @Override
    public Optional<Fence> highest(String resource) {
        return simulator.fenceGuard().highest(resource);
    }
}
