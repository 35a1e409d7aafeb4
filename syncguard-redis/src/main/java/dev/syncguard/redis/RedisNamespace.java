package dev.syncguard.redis;

import dev.syncguard.LockId;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.StorageKeys;

/** The names of the keys under one prefix. */
final class RedisNamespace {

    private final String start;
    private final String indexStart;
    private final String counterStart;

    /**
     * The names are those of {@link StorageKeys}, put together once: with a prefix of at most 205 bytes and a key of at
     * most 512, none of them is ever so long that it must be hashed.
     */
    RedisNamespace(String prefix) {
        StorageKeys keys = StorageKeys.redis(prefix);
        this.start = prefix + ":";
        this.indexStart = keys.storageKey("id:");
        this.counterStart = keys.storageKey("fence:" + start);
    }

    /** How every key of this namespace begins. */
    String start() {
        return start;
    }

    String indexStart() {
        return indexStart;
    }

    String counterStart() {
        return counterStart;
    }

    String lock(LockKey key) {
        return start + key.value();
    }

    String index(LockId lockId) {
        return indexStart + lockId.value();
    }

    /** Derived from the name of the lock, so that each key has its own. */
    String counter(LockKey key) {
        return counterStart + key.value();
    }

    /** Whether a key of this namespace is a lock and not an index entry or a counter. */
    boolean isLock(String storageKey) {
        boolean index = storageKey.startsWith(indexStart) && storageKey.length() == indexStart.length() + 22;
        return !index && !storageKey.startsWith(counterStart);
    }
}
