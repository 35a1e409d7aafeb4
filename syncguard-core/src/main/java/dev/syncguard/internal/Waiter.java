package dev.syncguard.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A waiting acquire as others see it: they leave news, the waiter takes them. Nothing is missed, because news are only ever
 * added by others and taken all at once by the waiter.
 */
abstract class Waiter {

    /** It is worth asking the store now; matters to the first of a line only. */
    static final int WOKEN = 1;

    /** A poll of the line is due. */
    static final int POLL_DUE = 1 << 1;

    /** The waiter is the first of its line from now on. */
    static final int PROMOTED = 1 << 2;

    /** The line's request has ended, and this waiter wanted to make the next one. */
    static final int YOUR_REQUEST = 1 << 3;

    /** The caller cancelled. */
    static final int CANCELLED = 1 << 4;

    /** The guard is closing. */
    static final int CLOSED = 1 << 5;

    /** A time has come. */
    static final int TIME = 1 << 6;

    /** A release has handed the lock over. */
    static final int HANDED_OVER = 1 << 7;

    private static final AtomicIntegerFieldUpdater<Waiter> NEWS =
            AtomicIntegerFieldUpdater.newUpdater(Waiter.class, "news");

    private volatile int news;
    private volatile boolean queuedForTurn;
    private volatile boolean left;

    /** Leaves news; may be called from any thread. */
    final void tell(int bits) {
        NEWS.accumulateAndGet(this, bits, (old, more) -> old | more);
        newsArrived();
    }

    /** Returns whether the waiter has to be queued for the line's next request; false if it is queued already. */
    final boolean queueForTurn() {
        boolean queued = queuedForTurn;
        queuedForTurn = true;
        return !queued;
    }

    /** Offers the line's next request to this waiter, which is not queued any more; false if it has left. */
    final boolean takeTurn() {
        queuedForTurn = false;
        if (left) {
            return false; // one that leaves from now on passes the turn on itself
        }
        tell(YOUR_REQUEST);
        return true;
    }

    final void left() {
        left = true;
    }

    final boolean hasNews() {
        return news != 0;
    }

    final int takeNews() {
        return news == 0 ? 0 : NEWS.getAndSet(this, 0);
    }

    /** Lets the waiter look at its news soon. Quick, and must not throw. */
    abstract void newsArrived();
}
