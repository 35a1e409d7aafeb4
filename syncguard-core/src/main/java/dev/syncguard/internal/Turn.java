package dev.syncguard.internal;

/**
 * A waiter's place in its line, and the news for it. Others write, the waiter reads.
 *
 * <p>Nothing is missed: the waiter only ever takes back what it has seen. It never sets {@link #first} to false (somebody
 * may have promoted it while it was still entering the line), and it clears {@link #woken} only after it has read true: a
 * wake-up that is overwritten then came before the attempt that follows, and a later one stays.
 */
final class Turn {

    private volatile boolean first;
    private volatile boolean woken;
    private volatile long holderNanos;
    private boolean queued = true;

    /** The waiter asks the store from the start: it is the first of its line, or it does not wait at all. */
    void startFirst() {
        queued = false;
        first = true;
    }

    void wake() {
        woken = true;
    }

    void promote(long holderNanos) {
        this.holderNanos = holderNanos;
        first = true;
    }

    boolean isFirst() {
        return first;
    }

    boolean hasNews() {
        return woken && first;
    }

    /** Tells whether to ask the store now, and takes the news. */
    boolean isDue(Patience patience, long now) {
        if (!first) {
            return false;
        }
        if (holderNanos > 0) {
            patience.behindHolder(now, holderNanos);
            holderNanos = 0;
        }
        if (woken) {
            woken = false;
            return true;
        }
        return patience.untilAttempt(now) <= 0;
    }

    /** Tells whether to give up. Who did not have to queue makes its first attempt, however short the timeout. */
    boolean isOver(Patience patience, long now) {
        return patience.untilTimeout(now) <= 0 && (queued || patience.hasAsked());
    }
}
