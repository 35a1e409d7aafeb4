package dev.syncguard.spi;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
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

    private static final int HASH_BYTES = 16;

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
     * Returns the names on Redis, where locks, index entries and counters share one namespace.
     *
     * @param prefix the namespace
     * @return names of up to 1000 bytes, 26 of them kept for {@code :id:} and a lock id
     */
    public static StorageKeys redis(String prefix) {
        return new StorageKeys(prefix, 1000, 26);
    }

    /**
     * Returns the names in a database, where each kind has a table of its own and needs no prefix.
     *
     * @return names of up to 1700 bytes
     */
    public static StorageKeys sql() {
        return new StorageKeys("", 1700, 0);
    }

    /**
     * Tells whether a key, in a namespace shared by all kinds of entries, names an index entry or a counter. No lock may
     * have such a key there.
     *
     * @param key the user's key
     * @return whether it is {@code id:} and a lock id, or begins with {@code fence:} and the prefix
     */
    public boolean isReserved(LockKey key) {
        String value = key.value();
        return value.startsWith("fence:")
                ? value.startsWith(prefix + ":", "fence:".length())
                : value.startsWith("id:") && value.matches("id:[A-Za-z0-9_-]{22}");
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
        int room = limitBytes - reserveBytes - Utf8.length(start);
        if (room <= 0) {
            throw tooLong();
        }
        String normalized = Normalizer.normalize(name, Normalizer.Form.NFC);
        if (Utf8.length(normalized) <= room) {
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
