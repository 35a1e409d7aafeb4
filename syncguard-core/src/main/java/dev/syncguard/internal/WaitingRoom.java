package dev.syncguard.internal;

import dev.syncguard.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lines up the waiters of each key in this process. A line exists while it has members.
 *
 * <p>No wake-up is lost: a waiter is in its line before it asks the store, and news that come while it asks stay with it.
 * When the first leaves without the lock, the next one asks at once. When it leaves with the lock, the next one sleeps
 * until the holder of this process releases (which wakes the line), the lease expires, or the next poll is due.
 */
final class WaitingRoom {

    private final Stripes<ConcurrentHashMap<LockKey, Line>> lines = new Stripes<>(ConcurrentHashMap::new);
    private final @Nullable ReleaseSignals signals;
    private final Reports reports;

    WaitingRoom(@Nullable ReleaseSignals signals, Reports reports) {
        this.signals = signals;
        this.reports = reports;
    }

    private ConcurrentHashMap<LockKey, Line> lines(LockKey key) {
        return lines.of(key.hashCode());
    }

    /** Joins the line of a key. */
    Line enter(LockKey key, Waiter waiter, long now) {
        Line created = new Line(waiter, now);
        if (lines(key).putIfAbsent(key, created) == null) {
            return created;
        }
        Line line = lines(key)
                .compute(key, (k, existing) -> existing != null && existing.append(waiter) ? existing : created);
        return line == null ? created : line;
    }

    /** Leaves the line; with the lock if a lease is given. Never throws. */
    void leave(LockKey key, Line line, Waiter waiter, @Nullable LeaseState lease) {
        if (line.tryClose()) {
            lines(key).remove(key, line);
            unsubscribe(line);
            return;
        }
        Departure departure = new Departure();
        lines(key)
                .computeIfPresent(
                        key, (k, current) -> current == line && departure.of(line, waiter, lease) ? null : current);
        if (departure.promoted != null) {
            departure.promoted.tell(Waiter.PROMOTED);
        }
        line.left(waiter);
        if (departure.emptied) {
            unsubscribe(line);
        }
    }

    private void unsubscribe(Line line) {
        Subscription subscription = line.subscription();
        if (subscription != null) {
            close(subscription);
        }
    }

    /** Asks the store to tell of releases, once for each line; wakes the first when that stands. */
    void subscribe(LockKey key, Line line) {
        if (signals == null || line.subscription() != null) {
            return;
        }
        Subscription subscription;
        try {
            subscription = signals.subscribe(key, () -> signalled(key));
        } catch (Throwable e) {
            reports.debug(
                    "no release notifications, polling instead: " + e.getClass().getName());
            return;
        }
        Line owner = lines(key).computeIfPresent(key, (k, current) -> {
            current.subscribe(subscription);
            return current;
        });
        if (owner == null || owner.subscription() != subscription) {
            close(subscription);
        } else if (owner.expectsSignals()) {
            signalled(key);
        }
    }

    private void close(Subscription subscription) {
        try {
            subscription.close();
        } catch (Throwable e) {
            reports.debug("a subscription could not be closed: " + e.getClass().getName());
        }
    }

    /** A holder of this process released the key. */
    void released(LockKey key) {
        Line line = lines(key).get(key);
        if (line != null) {
            line.released();
        }
    }

    private void signalled(LockKey key) {
        Line line = lines(key).get(key);
        if (line != null) {
            line.signalled();
        }
    }

    /** Returns the keys that are waited for. */
    Stream<LockKey> keys() {
        return lines.all().stream().flatMap(stripe -> stripe.keySet().stream());
    }

    /** Tells every waiter. */
    void tellAll(int news) {
        everyone().forEach(waiter -> waiter.tell(news));
    }

    /** Returns how many callers stand in lines, those included whose first request is under way. */
    int waiters() {
        return everyone().size();
    }

    private List<Waiter> everyone() {
        List<Waiter> everyone = new ArrayList<>();
        for (ConcurrentHashMap<LockKey, Line> stripe : lines.all()) {
            stripe.keySet()
                    .forEach(key -> stripe.computeIfPresent(key, (k, line) -> {
                        line.addAllTo(everyone);
                        return line;
                    }));
        }
        return everyone;
    }

    private static final class Departure {
        private @Nullable Waiter promoted;
        private boolean emptied;

        /** Returns whether the line is empty now. */
        boolean of(Line line, Waiter waiter, @Nullable LeaseState lease) {
            boolean wasFirst = line.isFirst(waiter);
            promoted = line.remove(waiter, lease);
            emptied = wasFirst && promoted == null;
            return emptied;
        }
    }
}
