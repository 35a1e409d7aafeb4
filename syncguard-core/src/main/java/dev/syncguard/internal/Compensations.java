package dev.syncguard.internal;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Releases in the background what no holder has any more: what an acquire with an unknown outcome may have been granted, and
 * what a failed release has left.
 *
 * <p>Each lock has its {@link BackgroundRelease}, which says when it is repeated and when it is over. Their number and the
 * threads are bounded; a lock that was not found twice gives way to one that is known to be there.
 */
final class Compensations {

    private static final long MILLI = 1_000_000;
    private static final int MOST_JOBS = 10_000;
    private static final int MOST_NAMED = 10;

    private final CompensationContext context;
    private final ReleaseBook<BackgroundRelease> book = new ReleaseBook<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private final AtomicInteger tooLate = new AtomicInteger();
    private volatile boolean closed;

    /** Creates the compensations of one guard. */
    Compensations(CompensationContext context) {
        this.context = context;
    }

    /**
     * Takes back what an acquire was granted, or may have been.
     *
     * @param unanswered how many of its requests may still arrive
     */
    void takeBack(LockKey key, LockId lockId, long ttlNanos, boolean granted, int unanswered) {
        BackgroundRelease job = job(new Leftover(key, lockId, ttlNanos, granted, unanswered, null));
        if (!start(job, 0) && closed && tooLate.incrementAndGet() <= MOST_NAMED) {
            context.reports()
                    .warn("closed before the answer to an acquire of key " + key.hash()
                            + "; what it may have been granted expires within " + job.leftNanos() / MILLI + " ms");
        }
    }

    /** Repeats the release of a lock that the store may keep that long; false if that is not possible any more. */
    boolean repeatRelease(LeaseState lease, long storedNanos) {
        return repeatRelease(lease, storedNanos, lease.unanswered());
    }

    /**
     * Repeats the release of a lock that the store may keep that long.
     *
     * @param mayArrive how many requests may still arrive, and lock once more
     */
    boolean repeatRelease(LeaseState lease, long storedNanos, int mayArrive) {
        return start(job(Leftover.of(lease, storedNanos, true, mayArrive)), 0);
    }

    /**
     * Looks once more after a release, because a late copy of a request may have locked again.
     *
     * @param kept whether the release has left the lock for its minimum
     */
    void releaseOnceMore(LeaseState lease, boolean kept, int mayArrive) {
        long ttl = Minimum.ttl(lease.options()).nanos();
        start(job(Leftover.of(lease, ttl, kept, mayArrive)), context.store().commandTimeoutNanos());
    }

    private BackgroundRelease job(Leftover left) {
        try {
            return new BackgroundRelease(context, book, left);
        } catch (Throwable e) {
            return new BackgroundRelease(context, book, left); // memory is used up, perhaps only for a moment
        }
    }

    private boolean start(BackgroundRelease job, long delay) {
        restartStuck();
        if (closed) {
            return false;
        }
        if (book.pending().size() >= MOST_JOBS) {
            if (full.compareAndSet(false, true)) {
                context.reports()
                        .warn("too many locks wait to be released in the background; more of them, the first of key "
                                + job.key().hash() + ", expire at their ttl");
            }
            return false;
        }
        full.set(false);
        if (book.pending().size() + book.settled().size() >= MOST_JOBS) {
            book.settled().stream().findFirst().ifPresent(BackgroundRelease::end);
        }
        book.begin(job);
        job.runIn(delay);
        return true;
    }

    /** Starts again what found no thread, as far as there are threads now. */
    void restartStuck() {
        boolean threads = true;
        for (int left = book.stuck(); left > 0 && threads; left--) {
            BackgroundRelease job = book.pollStuck();
            threads = job == null || job.restart();
        }
    }

    /** Returns how many locks are to be released, as far as is known. */
    int pending() {
        return book.pending().size();
    }

    /** The guard begins to close: what pauses for long is tried soon, beside all that the guard waits for. */
    void hurry() {
        restartStuck();
        book.pending().forEach(BackgroundRelease::hurry);
    }

    /**
     * Waits until all is released, but not longer than the limit, after a last look for what may have arrived late; says what
     * is left, and whether that is nothing. Keeps the interrupt flag.
     */
    boolean close(long limitNanos) {
        long start = System.nanoTime();
        book.close();
        hurry();
        book.settled().forEach(BackgroundRelease::hurry);
        boolean interrupted = false;
        int withoutThread = book.stuck();
        while (!book.isEmpty() && System.nanoTime() - start < limitNanos) {
            BackgroundRelease job = withoutThread-- > 0 ? book.pollStuck() : null;
            if (job != null) {
                job.attempt(); // here, rather than not at all
            } else {
                LockSupport.parkNanos(this, MILLI);
            }
            interrupted |= Thread.interrupted();
        }
        closed = true;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        boolean all = book.pending().isEmpty();
        name(book.pending(), "closed before a lock of key %s could be released; it expires within %d ms");
        name(
                book.notSeen(),
                "closed while an acquire of key %s might still arrive; its lock would expire within %d ms");
        return all;
    }

    private void name(Collection<BackgroundRelease> jobs, String what) {
        jobs.stream()
                .limit(MOST_NAMED)
                .forEach(job ->
                        context.reports().warn(String.format(what, job.key().hash(), job.leftNanos() / MILLI)));
        if (jobs.size() > MOST_NAMED) {
            context.reports().warn("closed with " + (jobs.size() - MOST_NAMED) + " more locks of that kind");
        }
    }
}
