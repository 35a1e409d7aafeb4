package dev.syncguard.internal;

/** Somebody who waits for a key in this process. Methods are quick and may be called from any thread. */
interface Waiter {

    /** Says that it is worth asking the store now; forgotten unless this waiter is the first of its line. */
    void wake();

    /**
     * Says that this waiter is now the first of its line and asks the store from now on.
     *
     * @param holderNanos how long the lock is held by this process, or 0 if that is not known: then ask at once
     */
    void promote(long holderNanos);
}
