package dev.syncguard.spi;

import dev.syncguard.Fence;
import dev.syncguard.LockId;

/** What one attempt to get a lock gave. */
public sealed interface AcquireOutcome {

    /**
     * The lock was granted, or had been granted to the same lock id before.
     *
     * @param lockId the lock id as the store has it
     * @param fence the fence of the grant
     * @param expiresAtMs when it expires, by the backend's time authority
     * @param remainingMs how long that is from the moment the store answered; for a fresh grant the ttl
     */
    record Granted(LockId lockId, Fence fence, long expiresAtMs, long remainingMs) implements AcquireOutcome {

        /**
         * Returns the grant of a stored lock.
         *
         * @param lock the lock
         * @param nowMs the backend's time
         * @return the grant, with what remains of it
         */
        public static Granted of(StoredLock lock, long nowMs) {
            return new Granted(lock.lockId(), lock.fence(), lock.expiresAtMs(), lock.expiresAtMs() - nowMs);
        }
    }

    /**
     * Another lock id holds the lock; nothing was written but the mark of a waiter.
     *
     * @param grantableInMs how long until the lock can be granted if its holder does nothing more, tolerance included
     */
    record Refused(long grantableInMs) implements AcquireOutcome {}
}
