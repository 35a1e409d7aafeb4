package dev.syncguard;

/**
 * What {@link SyncGuard#call(String, LockedFunction)} does while it holds the lock.
 *
 * @param <T> the result
 * @param <X> the checked exception it may throw; inferred as {@link RuntimeException} where there is none
 */
@FunctionalInterface
public interface LockedFunction<T, X extends Exception> {

    /**
     * Does the work.
     *
     * @param lease the held lock; released after this method returns or throws
     * @return the result
     * @throws X whatever the work throws
     */
    T apply(Lease lease) throws X;
}
