package dev.syncguard;

/**
 * What {@link SyncGuard#run(String, LockedAction)} does while it holds the lock.
 *
 * @param <X> the checked exception it may throw; inferred as {@link RuntimeException} where there is none
 */
@FunctionalInterface
public interface LockedAction<X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease the held lock; released after this method returns or throws
     * @throws X whatever the work throws
     */
    void accept(Lease lease) throws X;
}
