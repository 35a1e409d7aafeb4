package dev.syncguard.spi;

import dev.syncguard.LockKey;

/**
 * Notifies waiters of a release, so that they need not wait for their next poll.
 *
 * <p>A lost notification costs one poll interval, never a hang: waiters poll all the same. To miss none, a waiter subscribes,
 * waits until the subscription is active, then makes an attempt that says {@code willWait}; if that meets contention, the
 * release of the lock wakes it. The store notifies only when there is a waiter, so a release without one costs nothing
 * extra.
 *
 * @implSpec
 * <ul>
 *   <li><b>SIG-1</b> A contended attempt with {@code willWait} MUST be registered in the same atomic step as its answer.
 *   <li><b>SIG-2</b> The release of a key with a registered waiter MUST wake every active subscription of the key.
 *   <li><b>SIG-3</b> A subscription MUST wake its waiter when it becomes active, again after each reconnect.
 *   <li><b>SIG-4</b> A closed subscription MUST NOT wake its waiter any more, but for a wake-up under way.
 * </ul>
 */
public interface ReleaseSignals {

    /**
     * Asks to be woken. Does not block and does not throw; if the store cannot be reached, the subscription becomes active
     * later or never.
     *
     * @param key the key
     * @param wakeUp what to run; must be quick and must not throw, runs on any thread, possibly within this call
     * @return the subscription, to be closed
     */
    Subscription subscribe(LockKey key, Runnable wakeUp);

    /** A wish to be woken. */
    interface Subscription extends AutoCloseable {

        /**
         * Returns whether releases wake the waiter now.
         *
         * @return whether the store confirmed the subscription and the connection stands
         */
        boolean isActive();

        /** Ends the subscription. Does not block and does not throw. */
        @Override
        void close();
    }
}
