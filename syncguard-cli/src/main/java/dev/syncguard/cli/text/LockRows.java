package dev.syncguard.cli.text;

import dev.syncguard.KeyHash;
import dev.syncguard.spi.StoredLock;

/** Shows a lock as JSON. */
public final class LockRows {

    private LockRows() {}

    /**
     * Makes the JSON form.
     *
     * @param lock a lock
     * @param raw whether to show key and lock id
     * @return its description
     */
    public static Json json(StoredLock lock, boolean raw) {
        Json json = new Json().put("found", true);
        if (raw) {
            json.put("key", lock.key()).put("lockId", lock.lockId().value());
        }
        json.put("keyHash", KeyHash.canonical().hash(lock.key()))
                .put("lockIdHash", KeyHash.canonical().hash(lock.lockId().value()))
                .put("fence", lock.fence().toString())
                .put("acquiredAtMs", lock.acquiredAtMs())
                .put("expiresAtMs", lock.expiresAtMs());
        return lock.label() == null ? json : json.put("label", lock.label());
    }
}
