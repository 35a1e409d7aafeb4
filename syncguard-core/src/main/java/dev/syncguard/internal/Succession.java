package dev.syncguard.internal;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.HandOver.Message;
import dev.syncguard.spi.HandOver.Place;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place of one acquire in the store's queue, and what a release has handed over to it.
 *
 * <p>Only a message about the last attempt counts, and only after that was refused: what the store told before is over then
 * (an attempt that finds its own grant is answered with it). One that is lost or too late costs a poll. One about an earlier
 * attempt is a reason to ask at once: a store that is full may have kept the place of that one.
 */
final class Succession implements HandOver.Heir {

    /** How long a waiter that does not notice its grant keeps the others waiting. */
    private static final long CLAIM_MS = 1000;

    private static final long MILLI = 1_000_000;

    private final HandOver handOver;
    private final LockKey key;
    private final LockId lockId;
    private final Waiter waiter;
    private final Reports reports;
    private final AtomicReference<@Nullable Message> message = new AtomicReference<>();

    private @Nullable Subscription subscription;
    private long attempts;
    private boolean hasPlace;
    private boolean refused;
    private boolean maybeQueued;

    Succession(HandOver handOver, LockKey key, LockId lockId, Waiter waiter, Reports reports) {
        this.handOver = handOver;
        this.key = key;
        this.lockId = lockId;
        this.waiter = waiter;
        this.reports = reports;
    }

    /** Returns whether the first request of an acquire can have a place already. */
    static boolean isPossible(HandOver handOver, LockKey key) {
        try {
            return handOver.isListening(key);
        } catch (Throwable e) {
            return false; // it polls then
        }
    }

    /** Subscribes, once; the waiter is woken when that stands, and asks for a place. */
    void subscribe() {
        if (subscription == null) {
            try {
                subscription = handOver.subscribe(key, lockId, this);
            } catch (Throwable e) {
                reports.debug("no hand-over, polling instead: " + e.getClass().getName());
            }
        }
    }

    /** Returns the place of the next request; null if it has none. */
    @Nullable
    Place place(long leftNanos, LockOptions options) {
        attempts++;
        refused = false;
        hasPlace = leftNanos >= MILLI && isActive();
        if (!hasPlace) {
            return null;
        }
        maybeQueued = true;
        long ttlMs = Minimum.ttl(options).millis();
        boolean keepsMinimum = options.holdAtLeast().isPresent(); // it survives the death of its holder
        return new Place(attempts, leftNanos / MILLI, keepsMinimum ? ttlMs : Math.min(CLAIM_MS, ttlMs));
    }

    private boolean isActive() {
        try {
            return subscription != null && subscription.isActive();
        } catch (Throwable e) {
            return false;
        }
    }

    /** The last request was answered with contention. */
    void refused() {
        refused = hasPlace;
    }

    /** Returns whether the store may have queued the acquire, or granted it the lock for a claim. */
    boolean isMaybeQueued() {
        return maybeQueued;
    }

    /** The acquire has its lease, and is in no queue any more. */
    void granted() {
        maybeQueued = false;
        refused = false;
    }

    /** Takes the message about the last attempt; null if there is none. */
    @Nullable
    Message take() {
        Message told = refused ? message.getAndSet(null) : null;
        if (told != null && told.attempt() != attempts) {
            wake();
            return null;
        }
        return told;
    }

    /**
     * Returns how long after the request left the lock was granted, at least: the store measured from its answer, in whole
     * milliseconds that were cut off at both ends, and with a clock of its own rate.
     */
    static long waitedNanos(Message message) {
        long waited = Math.max(0, message.waitedMs() - 1) * MILLI;
        return waited - waited / 1000;
    }

    @Override
    public void wake() {
        waiter.tell(Waiter.WOKEN);
    }

    @Override
    public void granted(Message told) {
        message.accumulateAndGet(
                told, (old, newer) -> old != null && newer != null && old.attempt() > newer.attempt() ? old : newer);
        waiter.tell(Waiter.HANDED_OVER);
    }

    void close() {
        Subscription current = subscription;
        if (current != null) {
            try {
                current.close();
            } catch (Throwable e) {
                reports.debug(
                        "a subscription could not be closed: " + e.getClass().getName());
            }
        }
    }
}
