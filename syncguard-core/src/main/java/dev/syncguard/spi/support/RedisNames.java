package dev.syncguard.spi.support;

import dev.syncguard.LockKey;
import dev.syncguard.spi.StorageKeys;
import java.util.regex.Pattern;

/**
 * Derives the names under which Redis keeps a lock. Locks, index entries and counters share one namespace.
 *
 * <p>Stands here and not beside the backend because the command line explains names without any driver.
 */
public final class RedisNames {

    /** The characters of a lock id. */
    public static final int LOCK_ID_LENGTH = 22;

    private static final int LIMIT_BYTES = 1000;

    /** Kept free in every name for {@code :id:} and a lock id. */
    private static final int RESERVE_BYTES = ":id:".length() + LOCK_ID_LENGTH;

    /** How long a name can be before it is hashed. */
    public static final int ROOM_BYTES = LIMIT_BYTES - RESERVE_BYTES;

    private static final Pattern INDEX_NAME = Pattern.compile("id:[A-Za-z0-9_-]{" + LOCK_ID_LENGTH + "}");

    private RedisNames() {}

    /**
     * Returns the names under a prefix, on a server that is not part of a cluster.
     *
     * @param prefix any text, also one that the builder refuses
     * @return names of up to 1000 bytes, 26 of them kept free
     */
    public static StorageKeys of(String prefix) {
        return new StorageKeys(prefix, LIMIT_BYTES, RESERVE_BYTES);
    }

    /**
     * Returns whether a key names an index entry or a counter; no lock may have it (K3).
     *
     * @param prefix the prefix, without colons at its end
     * @param key the user's key
     * @return whether it is {@code id:} and a lock id, or begins with {@code fence:} and the prefix
     */
    public static boolean isReserved(String prefix, LockKey key) {
        String value = key.value();
        return value.startsWith("fence:")
                ? value.startsWith(prefix + ":", "fence:".length())
                : value.startsWith("id:") && INDEX_NAME.matcher(value).matches();
    }
}
