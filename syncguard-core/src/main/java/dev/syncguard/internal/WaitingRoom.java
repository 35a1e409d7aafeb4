package dev.syncguard.internal;

import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines up the waiters of each key in this process, so that only the first of a line asks the store.
 *
 * <p>A line exists while somebody is in it. All changes of a line happen inside {@code compute} of the map, which makes
 * them atomic; waking happens outside.
 *
 * <p>No wake-up is lost: a waiter is in its line before it asks the store, and a wake-up that comes while it asks is kept
 * by the waiter. When the first leaves without the lock, the next one asks at once. When it leaves with the lock, the next
 * one sleeps until the holder of this process releases (which wakes the line), its time is up, or the next poll is due.
 */
final class WaitingRoom {

    private final Stripes<ConcurrentHashMap<LockKey, Line>> lines = new Stripes<>(ConcurrentHashMap::new);
    private final Optional<ReleaseSignals> signals;

    WaitingRoom(Optional<ReleaseSignals> signals) {
        this.signals = signals;
    }

    private ConcurrentHashMap<LockKey, Line> lines(LockKey key) {
        return lines.of(key.hashCode());
    }

    /** Joins the line of a key; true if this waiter is the first and asks the store. */
    boolean enter(LockKey key, Waiter waiter) {
        if (lines(key).putIfAbsent(key, new Line(waiter)) == null) {
            return true;
        }
        Line line = lines(key).compute(key, (k, existing) -> {
            if (existing == null) {
                return new Line(waiter);
            }
            existing.append(waiter);
            return existing;
        });
        return line.first == waiter;
    }

    /** Leaves without the lock. */
    void leave(LockKey key, Waiter waiter) {
        leave(key, waiter, null);
    }

    /** Leaves; with the lock if a lease is given. */
    void leave(LockKey key, Waiter waiter, @Nullable HeldLease lease) {
        Departure departure = new Departure();
        lines(key).computeIfPresent(key, (k, line) -> line.remove(waiter, lease, departure) ? line : null);
        if (departure.promoted != null) {
            departure.promoted.promote(lease == null ? 0 : lease.remainingNanos());
        }
        if (departure.subscription != null) {
            departure.subscription.close();
        }
    }

    /** Asks the store to tell of releases, once for each line; wakes the first when that stands. */
    void subscribe(LockKey key) {
        Line line = lines(key).get(key);
        if (signals.isEmpty() || line == null || line.subscription != null) {
            return;
        }
        Subscription subscription = signals.get().subscribe(key, () -> signalled(key));
        Line owner = lines(key).computeIfPresent(key, (k, current) -> {
            if (current.subscription == null) {
                current.subscription = subscription;
            }
            return current;
        });
        if (owner == null || owner.subscription != subscription) {
            subscription.close();
        } else if (subscription.isActive()) {
            signalled(key);
        }
    }

    /** Tells whether a refused attempt would be told of the release. */
    boolean isSubscribed(LockKey key) {
        Line line = lines(key).get(key);
        if (line != null) {
            line.holder = null; // the first asks again: what it hears from now on is news
        }
        Subscription subscription = line == null ? null : line.subscription;
        return subscription != null && subscription.isActive();
    }

    /** A holder of this process released the key. */
    void released(LockKey key) {
        Line line = lines(key).get(key);
        if (line != null) {
            line.holder = null;
            line.first.wake();
        }
    }

    /** The store tells of a release; old news if this process has got the lock since then. */
    private void signalled(LockKey key) {
        Line line = lines(key).get(key);
        if (line != null) {
            HeldLease holder = line.holder;
            if (holder == null || !holder.isBelieved()) {
                line.first.wake();
            }
        }
    }

    /** The guard was closed: everybody has a look. */
    void wakeAll() {
        List<Waiter> everybody = new ArrayList<>();
        for (ConcurrentHashMap<LockKey, Line> stripe : lines.all()) {
            stripe.keySet().forEach(key -> stripe.computeIfPresent(key, (k, line) -> line.addAllTo(everybody)));
        }
        everybody.forEach(Waiter::wake);
    }

    private static final class Departure {
        private @Nullable Waiter promoted;
        private @Nullable Subscription subscription;
    }

    private static final class Line {
        private volatile Waiter first;
        private volatile @Nullable Subscription subscription;
        private volatile @Nullable HeldLease holder;
        private @Nullable ArrayDeque<Waiter> others;

        Line(Waiter first) {
            this.first = first;
        }

        void append(Waiter waiter) {
            if (others == null) {
                others = new ArrayDeque<>();
            }
            others.add(waiter);
        }

        Line addAllTo(List<Waiter> waiters) {
            waiters.add(first);
            if (others != null) {
                waiters.addAll(others);
            }
            return this;
        }

        /** Returns whether anybody is left. */
        boolean remove(Waiter waiter, @Nullable HeldLease lease, Departure departure) {
            if (waiter != first) {
                if (others != null) {
                    others.remove(waiter);
                }
                return true;
            }
            Waiter next = others == null ? null : others.poll();
            if (next == null) {
                departure.subscription = subscription;
                return false;
            }
            first = next;
            holder = lease;
            departure.promoted = next;
            return true;
        }
    }
}
