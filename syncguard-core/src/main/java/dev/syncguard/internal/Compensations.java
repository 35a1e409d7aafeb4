package dev.syncguard.internal;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

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
    private final BackgroundRelease.Others others = new Book();
    private final Set<BackgroundRelease> pending = ConcurrentHashMap.newKeySet();
    private final Set<BackgroundRelease> settled = ConcurrentHashMap.newKeySet();
    private final Queue<BackgroundRelease> stuck = new ConcurrentLinkedQueue<>();
    private final Queue<BackgroundRelease> notSeen = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private final AtomicInteger tooLate = new AtomicInteger();
    private volatile boolean closing;
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
        BackgroundRelease job =
                new BackgroundRelease(context, others, key, lockId, ttlNanos, granted, unanswered, null);
        if (!start(job, 0) && closed && tooLate.incrementAndGet() <= MOST_NAMED) {
            context.reports()
                    .warn("closed before the answer to an acquire of key " + key.hash()
                            + "; what it may have been granted expires within " + job.leftNanos() / MILLI + " ms");
        }
    }

    /**
     * Repeats a release that failed; false if that is not possible any more.
     *
     * @param minimum until when the lock stays locked all the same
     */
    boolean repeatRelease(LockKey key, LockId lockId, long ttlNanos, int unanswered, @Nullable Minimum minimum) {
        return start(new BackgroundRelease(context, others, key, lockId, ttlNanos, true, unanswered, minimum), 0);
    }

    /**
     * Looks once more after a release, because a late copy of the acquire may have locked again.
     *
     * @param kept whether the release has left the lock for its minimum
     */
    void releaseOnceMore(
            LockKey key, LockId lockId, long ttlNanos, boolean kept, int unanswered, @Nullable Minimum minimum) {
        start(
                new BackgroundRelease(context, others, key, lockId, ttlNanos, kept, unanswered, minimum),
                context.store().commandTimeoutNanos());
    }

    private boolean start(BackgroundRelease job, long delay) {
        restartStuck();
        if (closed) {
            return false;
        }
        if (pending.size() >= MOST_JOBS) {
            if (full.compareAndSet(false, true)) {
                context.reports()
                        .warn("too many locks wait to be released in the background; more of them, the first of key "
                                + job.key().hash() + ", expire at their ttl");
            }
            return false;
        }
        full.set(false);
        if (pending.size() + settled.size() >= MOST_JOBS) {
            settled.stream().findFirst().ifPresent(BackgroundRelease::end);
        }
        pending.add(job);
        job.runIn(delay);
        return true;
    }

    /** Starts again what found no thread, as far as there are threads now. */
    void restartStuck() {
        if (!stuck.isEmpty()) {
            boolean threads = true;
            for (int left = stuck.size(); left > 0 && threads; left--) {
                BackgroundRelease job = stuck.poll();
                threads = job == null || job.restart();
            }
        }
    }

    /** Returns how many locks are to be released, as far as is known. */
    int pending() {
        return pending.size();
    }

    /** The guard begins to close: what pauses for long is tried soon, beside all that the guard waits for. */
    void hurry() {
        restartStuck();
        pending.forEach(BackgroundRelease::hurry);
    }

    /**
     * Waits until all is released, but not longer than the limit, after a last look for what may have arrived late; says what
     * is left, and whether that is nothing. Keeps the interrupt flag.
     */
    boolean close(long limitNanos) {
        long start = System.nanoTime();
        closing = true;
        hurry();
        settled.forEach(BackgroundRelease::hurry);
        boolean interrupted = false;
        int withoutThread = stuck.size();
        while (!(pending.isEmpty() && settled.isEmpty()) && System.nanoTime() - start < limitNanos) {
            BackgroundRelease job = withoutThread-- > 0 ? stuck.poll() : null;
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
        boolean all = pending.isEmpty();
        name(pending, "closed before a lock of key %s could be released; it expires within %d ms");
        notSeen.addAll(settled);
        name(notSeen, "closed while an acquire of key %s might still arrive; its lock would expire within %d ms");
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

    /** Where each background release stands. */
    private final class Book implements BackgroundRelease.Others {

        @Override
        public boolean isSettled(BackgroundRelease release) {
            return settled.contains(release);
        }

        @Override
        public void settle(BackgroundRelease release) {
            if (pending.contains(release)) {
                settled.add(release);
                pending.remove(release);
            }
        }

        @Override
        public void ended(BackgroundRelease release) {
            pending.remove(release);
            settled.remove(release);
        }

        @Override
        public void stuck(BackgroundRelease release) {
            stuck.add(release);
        }

        @Override
        public boolean isClosing() {
            return closing;
        }

        @Override
        public void notSeen(BackgroundRelease release) {
            notSeen.add(release);
        }
    }
}
