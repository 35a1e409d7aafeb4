package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * The release of one lock in the background, repeated until it is over.
 *
 * <p>A release that finds the lock ends the matter, unless further requests of the same acquire may still arrive: each of
 * them can lock once more. One that finds nothing ends it too, except while such requests may be under way: then it is
 * repeated after a command timeout and less and less often, because a request may have been overtaken, or be stuck in a
 * frozen server. One that fails is repeated, less and less often, until the lock must have expired by itself.
 */
final class BackgroundRelease {
    private static final long MILLI = 1_000_000;
    private static final long FIRST_PAUSE = 50 * MILLI;
    private static final long LONGEST_PAUSE = 30_000 * MILLI;

    private final CompensationContext context;
    private final ReleaseBook<BackgroundRelease> book;
    private final Leftover left;
    private final long start;
    private final long worthwhile;
    private volatile boolean known; // whether the next lock that is found is the one that was granted, and no late one
    private volatile int mayArrive;
    private volatile int looks;
    private volatile boolean ended;
    private volatile long pause;
    private volatile Timekeeper.@Nullable Task timer;

    BackgroundRelease(CompensationContext context, ReleaseBook<BackgroundRelease> book, Leftover left) {
        this.context = context;
        this.book = book;
        this.left = left;
        this.known = left.granted();
        this.mayArrive = left.mayArrive();
        this.start = context.clock().now();
        this.pause = Math.min(FIRST_PAUSE, commandTimeoutNanos());
        this.worthwhile = left.ttlNanos() + keptNanos() + 1000 * MILLI + commandTimeoutNanos();
    }

    private long commandTimeoutNanos() {
        return context.store().commandTimeoutNanos();
    }

    LockKey key() {
        return left.key();
    }

    long leftNanos() {
        return Math.max(0, worthwhile - (context.clock().now() - start));
    }

    void runIn(long delay) {
        try {
            if (ended) {
                return;
            }
            if (delay == 0) {
                submit();
            } else {
                timer = context.time().schedule(delay, this::submit);
            }
        } catch (Throwable e) {
            book.stuck(this); // no thread for the timer
        }
    }

    /** The guard closes: a long pause is cut short, but not so short that an acquire under way is overtaken. */
    void hurry() {
        Timekeeper.Task waiting = timer;
        if (waiting != null && book.settled().contains(this)) {
            Cancelling.quietly(waiting);
            runIn(0);
        } else if (waiting != null && pause > commandTimeoutNanos()) {
            Cancelling.quietly(waiting);
            pause = commandTimeoutNanos();
            runIn(pause / 2);
        }
    }

    void end() {
        ended = true;
        book.ended(this);
        Cancelling.quietly(timer);
    }

    /** Tries again for a thread; false if there is none: the caller's belongs to another acquire, and does not wait. */
    boolean restart() {
        Once once = new Once(this::attempt);
        Throwable noThread = execute(once);
        if (noThread != null && once.compareAndSet(false, true)) {
            book.stuck(this);
        }
        return noThread == null;
    }

    private void submit() {
        Once once = new Once(this::attempt);
        Throwable noThread = execute(once);
        if (noThread != null && CleanThreads.isUpkeep()) {
            repeat(Failures.translate(noThread, left.key(), left.lockId())); // perhaps there is one later
        } else if (noThread != null) {
            once.run(); // here, rather than not at all
        }
    }

    private @Nullable Throwable execute(Runnable once) {
        try {
            context.time().execute(context.threads(), once);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    void attempt() {
        try {
            Ttl rest = Minimum.rest(left.minimum(), context.clock());
            ReleaseOutcome outcome = ReleaseStep.send(context.store(), left.key(), left.lockId(), rest);
            if (outcome == ReleaseOutcome.RELEASED && rest != null) {
                kept();
            } else if (outcome == ReleaseOutcome.RELEASED) {
                found();
            } else {
                known = false;
                lookAgain();
            }
        } catch (LockException e) {
            repeat(e);
        } catch (Throwable e) {
            repeat(Failures.translate(e, left.key(), left.lockId()));
        }
    }

    /** The lock stays locked for its minimum: finding what is left of it says nothing about requests that may still arrive. */
    private void kept() {
        known = true;
        lookAgain();
    }

    /** Returns how long the lock stays locked although it was given back. */
    private long keptNanos() {
        Ttl rest = Minimum.rest(left.minimum(), context.clock());
        return rest == null ? 0 : rest.nanos();
    }

    private void found() {
        context.released().accept(left.key());
        if (known) {
            known = false;
        } else {
            mayArrive = Math.max(0, mayArrive - 1); // one attempt at a time
        }
        lookAgain();
    }

    /** Looks again, less and less often, as long as a lock could last, if requests may still arrive. */
    private void lookAgain() {
        int times = looks + 1;
        looks = times;
        if (mayArrive == 0 || leftNanos() == 0) {
            end();
            return;
        }
        if (times > 1 && book.isClosing()) {
            book.notSeen(this);
            end();
            return;
        }
        if (times > 1) {
            book.settle(this); // most likely there is nothing
        }
        long delay = Math.min(LONGEST_PAUSE, commandTimeoutNanos() << Math.min(times - 1, 10));
        long worthIt = Math.min(delay, Math.max(MILLI, leftNanos()));
        runIn(times > 1 ? Math.max(worthIt, keptNanos()) : worthIt);
    }

    private void repeat(LockException failure) {
        if (leftNanos() == 0) {
            end();
            return;
        }
        context.reports().debug("a release in the background failed and is repeated: " + failure.getMessage());
        long delay = pause;
        pause = Math.min(LONGEST_PAUSE, 2 * pause);
        runIn(delay);
    }
}
