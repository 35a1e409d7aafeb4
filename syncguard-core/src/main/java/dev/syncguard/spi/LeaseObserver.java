package dev.syncguard.spi;

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
}
