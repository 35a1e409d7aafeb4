package dev.syncguard.firestore;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockIds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Remembers for which key a lock id was drawn here, so that an acquire need not ask whether it holds another one (ACQ-4):
 * no other process has seen the id. Everything that is not remembered is asked for.
 */
final class DrawnIds {

    private static final int CAPACITY = 4096;

    private final ReentrantLock guard = new ReentrantLock();
    private final Map<LockId, LockKey> keys = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockId, LockKey> eldest) {
            return size() > CAPACITY;
        }
    };

    LockId draw(LockKey key) {
        LockId lockId = LockIds.random();
        guard.lock();
        try {
            keys.put(lockId, key);
        } finally {
            guard.unlock();
        }
        return lockId;
    }

    /** Whether the id was drawn for this key and never used for another one; from the first other use on it is not. */
    boolean isOnlyFor(LockId lockId, LockKey key) {
        guard.lock();
        try {
            if (Objects.equals(keys.get(lockId), key)) {
                return true;
            }
            keys.remove(lockId);
            return false;
        } finally {
            guard.unlock();
        }
    }

    void forget(LockId lockId) {
        guard.lock();
        try {
            keys.remove(lockId);
        } finally {
            guard.unlock();
        }
    }
}
