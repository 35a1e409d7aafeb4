package dev.syncguard.internal;

import dev.syncguard.LockOptions;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome.Extended;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How long one lease lasts: as its holder may believe, and at most in the store.
 *
 * <p>{@link Term} is how long the holder trusts the lease; it never ends after the store's expiry. A replacing extension
 * that is sent caps it before the request leaves (decision E1) and begins a new generation, so that a renewal sent before
 * it cannot raise the term again.
 */
abstract class LeaseTime {

    private static final AtomicReferenceFieldUpdater<LeaseTime, @Nullable Term> EXTENDED =
            AtomicReferenceFieldUpdater.newUpdater(LeaseTime.class, Term.class, "extended");

    final GuardClock clock;
    private final LockOptions options;
    private final long grantedAt;
    private long firstDeadline;
    private final long firstExpiresAtMs;
    private volatile @Nullable Term extended;
    private volatile boolean unconfirmed;

    LeaseTime(GuardClock clock, LockOptions options, Granted granted, long dispatched) {
        this.clock = clock;
        this.options = options;
        this.grantedAt = dispatched;
        this.firstDeadline = Deadlines.of(dispatched, Minimum.ttl(options), granted.remainingMs());
        this.firstExpiresAtMs = granted.expiresAtMs();
    }

    /** Before any other thread sees the lease: the store keeps the lock for a claim only, until an extension confirms it. */
    final void claimed(long deadline) {
        firstDeadline = deadline;
        unconfirmed = true;
    }

    /** Returns whether no extension has given the lease its ttl yet. */
    final boolean isUnconfirmed() {
        return unconfirmed;
    }

    final LockOptions options() {
        return options;
    }

    /** Returns how long the lease is trusted; most leases are never extended and need no object for it. */
    final Term term() {
        Term current = extended;
        return current != null ? current : first();
    }

    private Term first() {
        long granted = Minimum.ttl(options).nanos();
        return new Term(firstDeadline, firstExpiresAtMs, options.ttl(), 0, granted, Term.NONE);
    }

    final long deadline() {
        Term current = extended;
        return current != null ? current.deadline() : firstDeadline;
    }

    private Term change(UnaryOperator<Term> change) {
        Term before;
        Term after;
        do {
            before = extended;
            after = change.apply(before != null ? before : first());
        } while (!EXTENDED.compareAndSet(this, before, after));
        return after;
    }

    /** Returns whether the deadline has passed. */
    final boolean isOver(long now) {
        return now - deadline() >= 0;
    }

    final long remainingNanos() {
        return deadline() - clock.look();
    }

    final long heldNanos(long now) {
        return now - grantedAt;
    }

    final long grantedAt() {
        return grantedAt;
    }

    /** An extension is about to be sent: the store may keep the lock that long, whether its reply arrives or not. */
    final void asking(Ttl ttl, long dispatched) {
        change(old -> old.storedFor(dispatched - grantedAt + ttl.nanos()));
    }

    /** Returns how long the store may keep the lock from now on, which is never less than what the holder believes. */
    final long storedNanos() {
        return grantedAt + term().longestNanos() - clock.look();
    }

    /**
     * A replacing extension is about to be sent: the store may have the shorter time any moment from now on.
     *
     * @return the new generation
     */
    final int replacing(Ttl ttl, long dispatched) {
        return change(old -> old.cappedAt(Deadlines.of(dispatched, ttl, ttl.millis())))
                .generation();
    }

    /**
     * A replacing extension was not answered: it may still arrive, at any time, and leave no more than its ttl. So nothing that
     * the store confirms later is trusted for longer than that.
     */
    final void unanswered(Ttl ttl) {
        change(old -> old.pending(ttl.millis()));
    }

    /** A replacing extension succeeded; it says nothing if another one was sent after it, which may be shorter. */
    final void replaced(Extended extended, Ttl ttl, long dispatched, int generation) {
        change(old -> old.generation() != generation
                ? old
                : old.until(
                        Deadlines.of(dispatched, ttl, old.trusted(extended.remainingMs())),
                        extended.expiresAtMs(),
                        ttl));
        unconfirmed = false;
    }

    /** An extension that never shortens succeeded; it says nothing if a replacing one was sent after it. */
    final void prolonged(Extended extended, long dispatched, int generation) {
        change(old -> {
            long deadline = Deadlines.lasting(dispatched, old.trusted(extended.remainingMs()));
            return old.generation() != generation || deadline - old.deadline() < 0
                    ? old
                    : old.until(deadline, extended.expiresAtMs(), old.ttl());
        });
        unconfirmed = false;
    }
}
