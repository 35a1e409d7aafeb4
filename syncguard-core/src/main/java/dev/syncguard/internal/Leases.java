package dev.syncguard.internal;

import dev.syncguard.LockId;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this guard holds, by lock id. Leases that nothing closes are dropped once they have expired.
 *
 * <p>Each lies in the stripe of the thread that acquired it. Only looking by lock id goes through all of them.
 */
final class Leases {

    private final Stripes<Part> parts = new Stripes<>(Part::new);

    void add(HeldLease lease) {
        part(lease.state()).add(lease);
    }

    void remove(LeaseState lease) {
        part(lease).byId.remove(lease.lockId());
    }

    private Part part(LeaseState lease) {
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

    /** Returns the leases that their holders still rely on. */
    List<LeaseState> held() {
        return parts.all().stream()
                .map(part -> part.byId.values())
                .flatMap(Collection::stream)
                .map(HeldLease::state)
                .filter(LeaseState::isBelieved)
                .toList();
    }

    private static final class Part {

        private static final int SWEEP_FROM = 128;

        private final ConcurrentHashMap<LockId, HeldLease> byId = new ConcurrentHashMap<>();
        private volatile long sweepAt = SWEEP_FROM;

        void add(HeldLease lease) {
            byId.put(lease.state().lockId(), lease);
            if (byId.mappingCount() > sweepAt) {
                byId.values().removeIf(held -> held.state().remainingNanos() <= 0);
                sweepAt = Math.max(SWEEP_FROM, 2 * byId.mappingCount());
            }
        }
    }
}
