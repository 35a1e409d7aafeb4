package dev.syncguard.internal;

import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one key in this process. The first of them asks the store, and at most one request is under way.
 *
 * <p>Who stands where changes only inside {@code compute} of the {@link WaitingRoom}'s map, except that a first that never
 * had company closes its line.
 */
final class Line extends LineTurns {

    private static final AtomicIntegerFieldUpdater<Line> MEMBERS =
            AtomicIntegerFieldUpdater.newUpdater(Line.class, "members");

    private static final int ALONE = 0;
    private static final int SEVERAL = 1;
    private static final int CLOSED = 2;

    private volatile Waiter first;
    private volatile int members;
    private volatile @Nullable Subscription subscription;
    private volatile @Nullable LeaseState holder;
    private @Nullable LinkedHashSet<Waiter> others; // one that leaves is found without a search

    Line(Waiter first, long now) {
        super(now);
        this.first = first;
    }

    boolean isFirst(Waiter waiter) {
        return first == waiter;
    }

    // ---- news

    /** A follower's poll is due: the first asks for all. */
    void poll() {
        first.tell(Waiter.POLL_DUE);
    }

    /** Returns how long a holder of this process has the lock, or 0 if that is not known. */
    long heldNanos() {
        LeaseState current = holder;
        return current == null ? 0 : current.remainingNanos();
    }

    /** A holder of this process released the key. */
    void released() {
        holder = null;
        first.tell(Waiter.WOKEN);
    }

    /** The store tells of a release; old news if this process has got the lock since then. */
    void signalled() {
        LeaseState current = holder;
        if (current == null || !current.isBelieved()) {
            first.tell(Waiter.WOKEN);
        }
    }

    // ---- subscription

    @Nullable
    Subscription subscription() {
        return subscription;
    }

    /** Whether a contended request would be told of the release; the first asks again: what it hears from now on is news. */
    boolean expectsSignals() {
        if (holder != null) {
            holder = null;
        }
        Subscription current = subscription;
        return current != null && isActive(current);
    }

    private static boolean isActive(Subscription subscription) {
        try {
            return subscription.isActive();
        } catch (Throwable e) {
            return false; // polls then
        }
    }

    /** Keeps a subscription unless there is one. */
    void subscribe(Subscription candidate) {
        if (subscription == null) {
            subscription = candidate;
        }
    }

    // ---- who stands where

    /** Closes the line if its first is alone: no waiter can join it any more. Needs no lock, unlike what follows. */
    boolean tryClose() {
        return MEMBERS.compareAndSet(this, ALONE, CLOSED);
    }

    /** Appends a waiter, inside {@code compute}; false if the line was closed. */
    boolean append(Waiter waiter) {
        if (members == CLOSED || (members == ALONE && !MEMBERS.compareAndSet(this, ALONE, SEVERAL))) {
            return false;
        }
        if (others == null) {
            others = new LinkedHashSet<>();
        }
        others.add(waiter);
        return true;
    }

    void addAllTo(Collection<Waiter> waiters) {
        waiters.add(first);
        if (others != null) {
            waiters.addAll(others);
        }
    }

    /** Takes a waiter out; returns the one that is first now because of it. The line is empty if {@code first} left alone. */
    @Nullable
    Waiter remove(Waiter waiter, @Nullable LeaseState lease) {
        if (waiter != first) {
            if (others != null) {
                others.remove(waiter);
            }
            return null;
        }
        Waiter next = pollOthers();
        if (next != null) {
            first = next;
            holder = lease;
        }
        return next;
    }

    private @Nullable Waiter pollOthers() {
        if (others == null || others.isEmpty()) {
            return null;
        }
        Iterator<Waiter> waiters = others.iterator();
        Waiter next = waiters.next();
        waiters.remove();
        return next;
    }
}
