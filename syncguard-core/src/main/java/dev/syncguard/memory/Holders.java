package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which simulated machine holds which key: one entry for each key that is held, or was until it expired. */
final class Holders {

    private final Map<String, Holder> byKey = new ConcurrentHashMap<>();

    private record Holder(LockId lockId, VirtualTime.Machine machine) {}

    /** The machine that got the lock first stays its holder, whichever repeats the request. */
    void granted(String key, LockId lockId, VirtualTime.Machine machine) {
        byKey.compute(key, (name, old) -> old != null && old.lockId.equals(lockId) ? old : new Holder(lockId, machine));
    }

    void released(String key, LockId lockId) {
        byKey.computeIfPresent(key, (name, holder) -> holder.lockId.equals(lockId) ? null : holder);
    }

    VirtualTime.@Nullable Machine of(StoredLock lock) {
        Holder holder = byKey.get(lock.key());
        return holder != null && holder.lockId.equals(lock.lockId()) ? holder.machine : null;
    }

    int size() {
        return byKey.size();
    }
}
