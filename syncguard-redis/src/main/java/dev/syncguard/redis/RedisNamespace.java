package dev.syncguard.redis;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.RedisNames;
import java.text.Normalizer;
import java.text.Normalizer.Form;

/** The names of the keys under one prefix. */
final class RedisNamespace {

    private final StorageKeys keys;
    private final String start;
    private final String indexStart;
    private final String counterStart;
    private final boolean plain;

    /** The names are those of {@link StorageKeys}, put together here once if not even the longest key is hashed. */
    RedisNamespace(String prefix) {
        this.keys = RedisNames.of(prefix);
        this.start = prefix + ":";
        this.indexStart = start + "id:";
        this.counterStart = start + Normalizer.normalize("fence:" + start, Form.NFC);
        this.plain = LockKey.utf8Length(counterStart) + LockKey.MAX_BYTES <= RedisNames.ROOM_BYTES;
    }

    /** How every key of this namespace begins. */
    String start() {
        return start;
    }

    /** Whether every name begins with what it is, and none is hashed. */
    boolean isPlain() {
        return plain;
    }

    String indexStart() {
        return indexStart;
    }

    String counterStart() {
        return counterStart;
    }

    String lock(LockKey key) {
        return plain ? start + key.value() : keys.lock(key);
    }

    String index(LockId lockId) {
        return plain ? indexStart + lockId.value() : keys.index(lockId);
    }

    /** Derived from the name of the lock, so that each key has its own. */
    String counter(LockKey key) {
        return plain ? counterStart + key.value() : keys.fence(key);
    }

    /** Whether a key of this namespace is a lock and not an index entry or a counter; a hash does not tell. */
    boolean isLock(String storageKey) {
        boolean index = storageKey.startsWith(indexStart)
                && storageKey.length() == indexStart.length() + RedisNames.LOCK_ID_LENGTH;
        return !index && !storageKey.startsWith(counterStart);
    }
}
