package dev.syncguard;

/**
 * A live lock with its raw identifiers, for debugging only. {@link #toString()} still shows hashes.
 *
 * @param key the raw key
 * @param lockId the lock id: whoever has it can release the lock
 * @param info the rest, safe to log
 */
public record RawLockInfo(String key, LockId lockId, LockInfo info) {

    /** Returns the sanitised form. */
    @Override
    public String toString() {
        return "Raw" + info;
    }
}
