package dev.syncguard.spi.support;

import dev.syncguard.LockKey;
import dev.syncguard.spi.StorageKeys;

/**
 * Derives the document ids under which Firestore keeps a lock: the storage key, or its hash where Firestore does not take
 * it as an id.
 *
 * <p>Stands here and not beside the backend because the command line explains names without any driver.
 */
public final class FirestoreNames {

    private static final int LIMIT_BYTES = 1500;
    private static final StorageKeys KEYS = new StorageKeys("", LIMIT_BYTES, 0);

    private FirestoreNames() {}

    /**
     * Returns the id of the lock's document.
     *
     * @param key the user's key
     * @return the document id, in the collection of locks
     */
    public static String lock(LockKey key) {
        String plain = KEYS.lock(key);
        return isLegal(plain) ? plain : StorageKeys.hash(plain);
    }

    /**
     * Returns the id of the fence counter's document, derived from {@link #lock} so that each key has its own.
     *
     * @param key the user's key
     * @return the document id, in the collection of counters
     */
    public static String fence(LockKey key) {
        return KEYS.storageKey("fence:" + lock(key));
    }

    /**
     * Returns whether Firestore takes a text as one segment of a path: not empty, at most 1500 bytes, without a slash,
     * neither {@code .} nor {@code ..}, and not {@code __x__}, which is reserved.
     *
     * @param segment the id of a document or a collection
     * @return whether it is legal
     */
    public static boolean isLegal(String segment) {
        return !segment.isEmpty()
                && LockKey.utf8Length(segment) <= LIMIT_BYTES
                && segment.indexOf('/') < 0
                && !segment.equals(".")
                && !segment.equals("..")
                && !(segment.length() >= 4 && segment.startsWith("__") && segment.endsWith("__"));
    }
}
