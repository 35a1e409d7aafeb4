package dev.syncguard.fence;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A guard for what lives in this process: tests, and resources that exactly one process writes to, such as a device.
 *
 * <p>It forgets everything with the process and never forgets a resource before.
 */
public final class MemoryFenceGuard implements FenceGuard {

    private final ConcurrentMap<LockKey, Gate> gates = new ConcurrentHashMap<>();

    /** Where writers to one resource pass, one at a time. */
    private static final class Gate {

        final ReentrantLock lock = new ReentrantLock();
        volatile @Nullable Fence highest;
    }

    /** Creates a guard that has seen no fence. */
    public MemoryFenceGuard() {}

    @Override
    public void advance(String resource, Fence fence) {
        advance(resource, fence, () -> fence);
    }

    /**
     * Checks, writes and advances in one step: no other writer to the resource comes between. A write that throws leaves the
     * guard as it was.
     *
     * @param <T> the type of the result
     * @param resource what is written to
     * @param fence the fence of the writer's lease
     * @param write the protected write; must not wait for another writer to the same resource
     * @return what the write returned
     * @throws StaleFenceException if a newer fence was accepted before; nothing is written then
     */
    public <T extends @Nullable Object> T advance(String resource, Fence fence, Supplier<T> write) {
        FenceClaim claim = FenceClaim.of(resource, fence);
        if (write == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "write must not be null");
        }
        Gate gate = gates.computeIfAbsent(claim.resource(), key -> new Gate());
        gate.lock.lock();
        try {
            claim.over(gate.highest);
            T result = write.get();
            // Again: the write may itself have advanced the same resource.
            gate.highest = claim.over(gate.highest);
            return result;
        } finally {
            gate.lock.unlock();
        }
    }

    @Override
    public Optional<Fence> highest(String resource) {
        Gate gate = gates.get(LockKey.of(resource));
        return gate == null ? Optional.empty() : Optional.ofNullable(gate.highest);
    }
}
