package dev.syncguard.telemetry;

import dev.syncguard.KeyHash;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import org.jspecify.annotations.Nullable;

/** Puts keys and lock ids into events, raw and hashed; the queue takes the raw ones out again unless they are permitted. */
record Identifiers(KeyHash hash) {

    LockEventBuilder set(LockEventBuilder event, @Nullable LockKey key, @Nullable LockId lockId) {
        if (key != null) {
            event.keyHash(key.hash()).key(key.value());
        }
        if (lockId != null) {
            event.lockIdHash(hash.hash(lockId.value())).lockId(lockId);
        }
        return event;
    }
}
