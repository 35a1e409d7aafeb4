package dev.syncguard.internal;

import dev.syncguard.LockId;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this guard holds, by lock id. Leases that nobody closes are dropped once they have ended.
 *
 * <p>Each lies in the stripe of the thread that acquired it. Only looking by lock id goes through all of them.
 */
final class Leases {

    private final Stripes<Part> parts = new Stripes<>(Part::new);

    void add(HeldLease lease) {
        part(lease).add(lease);
    }

    void remove(HeldLease lease) {
        part(lease).byId.remove(lease.lockId(), lease);
    }

    private Part part(HeldLease lease) {
        return parts.of(Long.hashCode(lease.threadId()));
    }

    @Nullable
    HeldLease find(LockId lockId) {
        for (Part part : parts.all()) {
            HeldLease lease = part.byId.get(lockId);
            if (lease != null) {
                return lease;
            }
        }
        return null;
    }

    long count() {
        return parts.all().stream().mapToLong(part -> part.byId.mappingCount()).sum();
    }

    private static final class Part {

        private static final int SWEEP_FROM = 128;

        private final ConcurrentHashMap<LockId, HeldLease> byId = new ConcurrentHashMap<>();
        private volatile long sweepAt = SWEEP_FROM;

        void add(HeldLease lease) {
            byId.put(lease.lockId(), lease);
            if (byId.mappingCount() > sweepAt) {
                byId.values().removeIf(held -> held.remainingNanos() <= 0);
                sweepAt = Math.max(SWEEP_FROM, 2 * byId.mappingCount());
            }
        }
    }
}
