package dev.syncguard.internal;

import dev.syncguard.LockId;
import dev.syncguard.LockInfo;
import dev.syncguard.RawLockInfo;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The verbs that look at locks, on the caller's thread and without one. */
public final class Lookups {

    private final Guard guard;

    Lookups(Guard guard) {
        this.guard = guard;
    }

    /**
     * Tells whether a key is locked.
     *
     * @param key the raw key
     * @return whether it is
     */
    public boolean isLocked(String key) {
        return guard.store().isLocked(guard.key(key));
    }

    /**
     * Tells whether a key is locked, without a thread.
     *
     * @param key the raw key
     * @return whether it is, later
     */
    public CompletionStage<Boolean> isLockedAsync(String key) {
        return guard.store().isLockedAsync(guard.key(key));
    }

    /**
     * Finds the lock of a key.
     *
     * @param key the raw key
     * @return the lock, raw
     */
    public Optional<RawLockInfo> find(String key) {
        return guard.store().findByKey(guard.key(key)).map(this::raw);
    }

    /**
     * Finds the lock of a lock id.
     *
     * @param lockId the lock id
     * @return the lock, raw
     */
    public Optional<RawLockInfo> find(LockId lockId) {
        guard.ensureOpen();
        return guard.store().findById(lockId).map(this::raw);
    }

    /**
     * Finds the lock of a key without a thread.
     *
     * @param key the raw key
     * @return the lock, raw, later
     */
    public CompletionStage<Optional<RawLockInfo>> findAsync(String key) {
        return guard.store().findByKeyAsync(guard.key(key)).thenApply(found -> found.map(this::raw));
    }

    /**
     * Finds the lock of a lock id without a thread.
     *
     * @param lockId the lock id
     * @return the lock, raw, later
     */
    public CompletionStage<Optional<RawLockInfo>> findAsync(LockId lockId) {
        guard.ensureOpen();
        return guard.store().findByIdAsync(lockId).thenApply(found -> found.map(this::raw));
    }

    private RawLockInfo raw(StoredLock lock) {
        LockInfo info = new LockInfo(
                guard.hash().hash(lock.key()),
                guard.hash().hash(lock.lockId().value()),
                lock.acquiredAtMs(),
                lock.expiresAtMs(),
                lock.fence());
        return new RawLockInfo(lock.key(), lock.lockId(), info);
    }
}
