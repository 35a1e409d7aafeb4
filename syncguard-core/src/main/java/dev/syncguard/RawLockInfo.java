package dev.syncguard;

import java.util.Optional;

/**
 * A live lock with its raw identifiers, for debugging only. {@link #toString()} still shows hashes, and no label.
 *
 * @param key the raw key
 * @param lockId the lock id: the right to release the lock
 * @param info the rest, safe to log
 * @param label who holds it, if the holder said so ({@link SyncGuardBuilder#label}): any text, also control characters, if
 *     another client wrote it
 */
public record RawLockInfo(String key, LockId lockId, LockInfo info, Optional<String> label) {

    /**
     * Creates one without a label.
     *
     * @param key the raw key
     * @param lockId the lock id
     * @param info the rest
     */
    public RawLockInfo(String key, LockId lockId, LockInfo info) {
        this(key, lockId, info, Optional.empty());
    }

    /** Returns the sanitised form. */
    @Override
    public String toString() {
        return "Raw" + info;
    }
}
