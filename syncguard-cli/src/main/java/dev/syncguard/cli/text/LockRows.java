package dev.syncguard.cli.text;

import dev.syncguard.KeyHash;
import dev.syncguard.spi.StoredLock;

/** Shows a lock: as JSON, and as a row of a table. */
public final class LockRows {

    /** The heading of the table. */
    public static final String HEADING = "KEY HASH                  AGE       LEFT      FENCE";

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
        return json.put("keyHash", KeyHash.canonical().hash(lock.key()))
                .put("lockIdHash", KeyHash.canonical().hash(lock.lockId().value()))
                .put("fence", lock.fence().toString())
                .put("acquiredAtMs", lock.acquiredAtMs())
                .put("expiresAtMs", lock.expiresAtMs());
    }

    /**
     * Makes a row.
     *
     * @param lock a lock
     * @param nowMs this machine's clock; age and time left are off by as much as it differs from the store's
     * @return hash, age, time left, fence
     */
    public static String row(StoredLock lock, long nowMs) {
        return KeyHash.canonical().hash(lock.key())
                + "  " + padded(Durations.text(Math.max(0, nowMs - lock.acquiredAtMs())))
                + "  " + padded(Durations.text(Math.max(0, lock.expiresAtMs() - nowMs)))
                + "  " + lock.fence();
    }

    private static String padded(String text) {
        return text + " ".repeat(Math.max(0, 8 - text.length()));
    }
}
