package dev.syncguard.tck;

import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * Looks into a store, and changes it, behind the back of the backend under test: with commands, statements or calls of the
 * store's own client, never through the backend. Keys are the user's keys, normalised.
 */
public interface StoreProbe {

    /**
     * Returns what the store holds for a key, live or ended.
     *
     * @param key the user's key
     * @return the record as it stands, or empty if there is none
     */
    Optional<StoredLock> stored(String key);

    /**
     * Makes the stored lock of a key one that ended long ago, more than the tolerance, by the store's own clock. Either
     * rewrites its expiry, or does what the store does with a lock that has ended.
     *
     * @param key the user's key, locked
     */
    void expire(String key);

    /**
     * Makes the stored lock of a key one that ended a moment ago, and keeps it in the store. Optional: tests that need it
     * are skipped where it is not implemented.
     *
     * @param key the user's key, locked
     * @param ago how long ago, less than the tolerance
     */
    default void expireAgo(String key, Duration ago) {
        Assumptions.abort("the probe cannot keep a lock in the store that has ended");
    }

    /**
     * Returns where the fence counter of a key stands.
     *
     * @param key the user's key
     * @return the number as it is stored, 0 if there is none
     */
    long fenceCounter(String key);

    /**
     * Sets the fence counter of a key.
     *
     * @param key the user's key
     * @param value what to store, also if it is not a valid counter
     */
    void setFenceCounter(String key, long value);

    /**
     * Returns the time of whatever clock decides when a lock ends: that of the store, or that of this process.
     *
     * @return milliseconds since the epoch
     */
    long nowMs();
}
