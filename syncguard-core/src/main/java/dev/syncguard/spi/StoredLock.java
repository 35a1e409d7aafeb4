package dev.syncguard.spi;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import org.jspecify.annotations.Nullable;

/**
 * A live lock as it stands in the store, raw. {@link #toString()} hides the identifiers.
 *
 * @param key the user's key
 * @param lockId the lock id
 * @param acquiredAtMs when it was granted
 * @param expiresAtMs when it expires
 * @param fence the fence of the grant
 * @param label who holds it, if the holder said so: whatever text stands in the store, cut where it is absurdly long
 */
public record StoredLock(
        String key,
        LockId lockId,
        long acquiredAtMs,
        long expiresAtMs,
        Fence fence,
        @Nullable String label) {

    /** How many characters of a label are kept. Labels of this library have at most 128; another client writes what it likes. */
    public static final int LONGEST_LABEL = 1024;

    /**
     * Creates a lock.
     *
     * @param key the user's key
     * @param lockId the lock id
     * @param acquiredAtMs when it was granted
     * @param expiresAtMs when it expires
     * @param fence the fence of the grant
     * @param label who holds it; what is longer than {@link #LONGEST_LABEL} is cut
     */
    public StoredLock {
        if (label != null && label.length() > LONGEST_LABEL) {
            boolean isPair = Character.isSurrogatePair(label.charAt(LONGEST_LABEL - 1), label.charAt(LONGEST_LABEL));
            label = label.substring(0, isPair ? LONGEST_LABEL - 1 : LONGEST_LABEL);
        }
    }

    /**
     * Creates a lock without a label.
     *
     * @param key the user's key
     * @param lockId the lock id
     * @param acquiredAtMs when it was granted
     * @param expiresAtMs when it expires
     * @param fence the fence of the grant
     */
    public StoredLock(String key, LockId lockId, long acquiredAtMs, long expiresAtMs, Fence fence) {
        this(key, lockId, acquiredAtMs, expiresAtMs, fence, null);
    }

    /**
     * Returns the same lock with another expiry.
     *
     * @param endMs when it expires
     * @return a lock
     */
    public StoredLock endingAt(long endMs) {
        return new StoredLock(key, lockId, acquiredAtMs, endMs, fence, label);
    }

    /** Returns a text that is safe to log. */
    @Override
    public String toString() {
        return "StoredLock[fence=" + fence + ", acquiredAtMs=" + acquiredAtMs + ", expiresAtMs=" + expiresAtMs + "]";
    }
}
