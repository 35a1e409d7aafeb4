package dev.syncguard.redis;

import dev.syncguard.LockId;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.StorageKeys;

/** The names of the keys under one prefix. */
final class RedisNamespace {

    private static final int LIMIT_BYTES = 1000;
    /** Room for {@code :id:} and a lock id. */
    private static final int RESERVE_BYTES = 26;

    private final StorageKeys keys;
    private final String start;
    private final String indexStart;

    RedisNamespace(String prefix) {
        this.keys = new StorageKeys(prefix, LIMIT_BYTES, RESERVE_BYTES);
        this.start = prefix + ":";
        this.indexStart = start + "id:";
    }

    /** How every key of this namespace begins. */
    String start() {
        return start;
    }

    String indexStart() {
        return indexStart;
    }

    String counterStart() {
        return start + "fence:" + start;
    }

    String lock(LockKey key) {
        return keys.lock(key);
    }

    /** The same as {@code StorageKeys.index}: a prefix of 200 bytes leaves room for it, so it is never hashed. */
    String index(LockId lockId) {
        return indexStart + lockId.value();
    }

    /** The name of the counter of the lock at {@code storageKey}: derived from it, so that each key has its own. */
    String counter(String storageKey) {
        return keys.storageKey("fence:" + storageKey);
    }

    /** Whether a key of this namespace is a lock and not an index entry or a counter. */
    boolean isLock(String storageKey) {
        boolean index = storageKey.startsWith(indexStart) && storageKey.length() == indexStart.length() + 22;
        return !index && !storageKey.startsWith(counterStart());
    }
}
