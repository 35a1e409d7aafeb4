package dev.syncguard.tck;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The queues of a {@link SmallStore}, and who listens. What changes a queue is called with the store's monitor held. */
class SmallQueues implements HandOver {

    final Map<String, List<Queued>> queues = new HashMap<>();
    private final Map<LockId, Heir> heirs = new ConcurrentHashMap<>();

    /** An attempt that was refused. */
    record Queued(AcquireRequest request, long sinceMs) {

        Place place() {
            return Objects.requireNonNull(request.place());
        }
    }

    void join(String name, AcquireRequest request, long now) {
        if (request.place() != null) {
            List<Queued> queue = queues.computeIfAbsent(name, key -> new ArrayList<>());
            Queued queued = new Queued(request, now);
            for (int i = 0; i < queue.size(); i++) {
                if (queue.get(i).request().lockId().equals(request.lockId())) {
                    queue.set(i, queued);
                    return;
                }
            }
            queue.add(queued);
        }
    }

    void leave(LockId lockId) {
        queues.values()
                .forEach(queue ->
                        queue.removeIf(queued -> queued.request().lockId().equals(lockId)));
    }

    /** Takes out the first that fits and all before it. */
    @Nullable
    Queued poll(String name, Predicate<Queued> fits) {
        List<Queued> queue = queues.getOrDefault(name, List.of());
        while (!queue.isEmpty()) {
            Queued first = queue.remove(0);
            if (fits.test(first)) {
                return first;
            }
        }
        return null;
    }

    boolean hears(LockId lockId) {
        return heirs.containsKey(lockId);
    }

    void tell(LockId lockId, Message message) {
        Heir heir = heirs.get(lockId);
        if (heir != null) {
            heir.granted(message);
        }
    }

    @Override
    public Subscription subscribe(LockKey key, LockId lockId, Heir heir) {
        heirs.put(lockId, heir);
        heir.wake();
        return new SmallSubscription(heir::wake) {
            @Override
            public void close() {
                super.close();
                heirs.remove(lockId);
            }
        };
    }

    @Override
    public boolean isListening(LockKey key) {
        return true;
    }
}
