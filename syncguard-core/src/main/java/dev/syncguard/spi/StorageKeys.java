package dev.syncguard.spi;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;

/**
 * Derives the names under which a store keeps a lock, the same in every language.
 *
 * @param prefix the namespace, possibly empty
 * @param limitBytes the longest name of the store, in bytes of UTF-8
 * @param reserveBytes how much of it stays free for names that are derived from this one
 */
public record StorageKeys(String prefix, int limitBytes, int reserveBytes) {

    /** The characters of {@link #hash}. */
    public static final int HASH_LENGTH = 22;

    private static final int HASH_BYTES = 16;

    /** What PostgreSQL can index, with a margin. */
    private static final int SQL_LIMIT_BYTES = 1700;

    /**
     * Strips the trailing colons of the prefix.
     *
     * @param prefix the namespace, possibly empty
     * @param limitBytes the longest name of the store
     * @param reserveBytes how much of it stays free
     */
    public StorageKeys {
        prefix = stripTrailingColons(prefix);
    }

    /**
     * Returns the names in a database, where each kind has a table of its own and needs no prefix.
     *
     * @return names of up to 1700 bytes
     */
    public static StorageKeys sql() {
        return new StorageKeys("", SQL_LIMIT_BYTES, 0);
    }

    /**
     * Returns the name of the lock.
     *
     * @param key the user's key
     * @return the storage key
     */
    public String lock(LockKey key) {
        return storageKey(key.value());
    }

    /**
     * Returns the name of the fence counter, derived from the name of the lock so that each key has its own.
     *
     * @param key the user's key
     * @return the storage key of the counter
     */
    public String fence(LockKey key) {
        return storageKey("fence:" + lock(key));
    }

    /**
     * Returns the name of the entry that leads from a lock id to its lock.
     *
     * @param lockId the lock id
     * @return the storage key of the index entry
     */
    public String index(LockId lockId) {
        return storageKey("id:" + lockId.value());
    }

    /**
     * Returns the name of anything in this namespace: the plain text if it fits, else its hash.
     *
     * @param name a name, not necessarily a valid user key
     * @return the storage key
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if not even the hash fits
     */
    public String storageKey(String name) {
        String start = prefix.isEmpty() ? "" : prefix + ":";
        int room = limitBytes - reserveBytes - LockKey.utf8Length(start);
        if (room <= 0) {
            throw tooLong();
        }
        String normalized = Normalizer.normalize(name, Normalizer.Form.NFC);
        if (LockKey.utf8Length(normalized) <= room) {
            return start + normalized;
        }
        String hashed = hash(start + normalized);
        if (hashed.length() > room) {
            throw tooLong();
        }
        return start + hashed;
    }

    /**
     * Returns the short form of a name that a store cannot take as it is: 22 base64url characters.
     *
     * @param name the full name, prefix included
     * @return the first 16 bytes of its SHA-256
     */
    public static String hash(String name) {
        byte[] digest = sha256().digest(name.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, HASH_BYTES));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new LockException(Code.INTERNAL, "this JDK has no SHA-256", e);
        }
    }

    private static String stripTrailingColons(String prefix) {
        int end = prefix.length();
        while (end > 0 && prefix.charAt(end - 1) == ':') {
            end--;
        }
        return prefix.substring(0, end);
    }

    private LockException tooLong() {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "the prefix leaves no room for a key within the store's limit of " + limitBytes + " bytes");
    }
}
