package dev.syncguard.internal;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is in a line to ask the store: at most one request is under way.
 *
 * <p>The right to make a request is a compare-and-set of {@link #asker}; a waiter that does not get it is remembered before
 * it looks once more, so the end of the request under way cannot miss it, and a waiter that is given the right but does not
 * use it passes it on, also by leaving.
 */
abstract class LineTurns {

    private static final AtomicReferenceFieldUpdater<LineTurns, @Nullable Waiter> ASKER =
            AtomicReferenceFieldUpdater.newUpdater(LineTurns.class, Waiter.class, "asker");

    @SuppressWarnings("rawtypes") // there is no class literal of a generic type
    private static final AtomicReferenceFieldUpdater<LineTurns, @Nullable Queue> WANTING =
            AtomicReferenceFieldUpdater.newUpdater(LineTurns.class, Queue.class, "wanting");

    private static final AtomicLongFieldUpdater<LineTurns> LAST_REQUEST =
            AtomicLongFieldUpdater.newUpdater(LineTurns.class, "lastRequestAt");

    private volatile @Nullable Waiter asker;
    private volatile @Nullable Queue<Waiter> wanting;
    private volatile int polls;
    private volatile long lastRequestAt;

    LineTurns(long now) {
        LAST_REQUEST.lazySet(this, now);
    }

    /** Takes the right to make the line's request; otherwise the waiter is told when it is free. */
    final boolean tryAsk(Waiter waiter) {
        if (asker == waiter || ASKER.compareAndSet(this, null, waiter)) {
            return true;
        }
        Queue<Waiter> queue = wanting;
        if (queue == null) {
            queue = wanting();
        }
        if (waiter.queueForTurn()) {
            queue.add(waiter);
        }
        return ASKER.compareAndSet(this, null, waiter);
    }

    private Queue<Waiter> wanting() {
        WANTING.compareAndSet(this, null, new ConcurrentLinkedQueue<>());
        return Objects.requireNonNull(wanting);
    }

    /** The request of a waiter has ended. */
    final void asked(Waiter waiter, long now, boolean wasPoll) {
        if (asker == waiter) {
            LAST_REQUEST.lazySet(this, now);
            if (wasPoll) {
                int made = polls;
                polls = made + 1; // only the asker writes
            }
            asker = null;
            passOn();
        }
    }

    /** Lets another waiter make the next request, if one wants to and none is under way. */
    final void passOn() {
        Queue<Waiter> queue = wanting;
        if (queue != null && asker == null) {
            Waiter next = queue.poll();
            while (next != null && !next.takeTurn()) {
                next = queue.poll();
            }
        }
    }

    /** A waiter leaves: it gives back its turn, and is not offered another one. */
    final void left(Waiter waiter) {
        waiter.left();
        asked(waiter, lastRequestAt, false);
        passOn();
    }

    final int polls() {
        return polls;
    }

    final long lastRequestAt() {
        return lastRequestAt;
    }
}
