package dev.syncguard.internal;

import dev.syncguard.LockId;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The leases that this guard holds, by lock id. Leases that nobody closes are dropped once they have ended. */
final class Leases {

    private static final int SWEEP_FROM = 1024;
    private static final int SPREAD = 512; // threads that write to the same cache line wait for each other

    private final ConcurrentHashMap<LockId, HeldLease> byId = new ConcurrentHashMap<>(SPREAD);
    private volatile long sweepAt = SWEEP_FROM;

    void add(HeldLease lease) {
        byId.put(lease.lockId(), lease);
        if (byId.mappingCount() > sweepAt) {
            byId.values().removeIf(held -> held.remainingNanos() <= 0);
            sweepAt = Math.max(SWEEP_FROM, 2 * byId.mappingCount());
        }
    }

    void remove(HeldLease lease) {
        byId.remove(lease.lockId(), lease);
    }

    @Nullable
    HeldLease find(LockId lockId) {
        return byId.get(lockId);
    }

    long count() {
        return byId.mappingCount();
    }
}
