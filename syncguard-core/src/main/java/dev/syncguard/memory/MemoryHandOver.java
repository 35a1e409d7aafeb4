package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.spi.support.WakeUp;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Who is told when it is granted a lock that was released. */
final class MemoryHandOver implements HandOver {

    private final Map<LockId, Heir> heirs = new ConcurrentHashMap<>();

    /** Active from the start, since nothing lies between it and the store. */
    @Override
    public Subscription subscribe(LockKey key, LockId lockId, Heir heir) {
        WakeUp subscription = new WakeUp(heir::wake);
        heirs.put(lockId, heir);
        subscription.join(() -> true, () -> heirs.remove(lockId, heir));
        return subscription;
    }

    /** Asking once more costs less than subscribing for each acquire that meets no contention. */
    @Override
    public boolean isListening(LockKey key) {
        return false;
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
}
