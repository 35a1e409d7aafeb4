package dev.syncguard.spi;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;

/**
 * Receives the life-cycle events of a guard's leases, see {@link LockBackend#leaseObserver()}.
 *
 * <p>Called on the threads that acquire, renew and release: implementations must be quick, must not block and must not
 * throw.
 */
@FunctionalInterface
public interface LeaseObserver {

    /**
     * Takes an event.
     *
     * @param event what happened to a lease
     */
    void onLeaseEvent(LeaseEvent event);

    /**
     * An acquire begins; called on its caller's thread, before the first request. A {@link LeaseEvent.Type#GRANTED} or
     * {@link LeaseEvent.Type#NOT_GRANTED} event with the same lock id follows.
     *
     * @param key the key
     * @param lockId the lock id that a grant will have
     */
    default void onAcquire(LockKey key, LockId lockId) {}

    /**
     * Returns an observer that tells this one, then another one.
     *
     * @param other the other one
     * @return both
     */
    default LeaseObserver andThen(LeaseObserver other) {
        LeaseObserver first = this;
        return new LeaseObserver() {
            @Override
            public void onLeaseEvent(LeaseEvent event) {
                first.onLeaseEvent(event);
                other.onLeaseEvent(event);
            }

            @Override
            public void onAcquire(LockKey key, LockId lockId) {
                first.onAcquire(key, lockId);
                other.onAcquire(key, lockId);
            }
        };
    }
}
