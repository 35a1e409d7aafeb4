package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.Timekeeper;
import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Releases in the background what no holder has any more: what an acquire with an unknown outcome may have been granted, and
 * what a failed release has left.
 *
 * <p>A release that finds the lock ends the matter, unless further requests of the same acquire may still arrive: each of
 * them can lock once more. One that finds nothing ends it too, except while such requests may be under way: then it is
 * repeated after a command timeout and less and less often, because a request may have been overtaken, or be stuck in a
 * frozen server. One that fails is repeated, less and less often, until the lock must have expired by itself. The number of
 * locks and of threads is bounded; a lock that was not found twice gives way to one that is known to be there.
 */
final class Compensations {

    private static final long MILLI = 1_000_000;
    private static final long FIRST_PAUSE = 50 * MILLI;
    private static final long LONGEST_PAUSE = 30_000 * MILLI;
    private static final int MOST_JOBS = 10_000;
    private static final int MOST_NAMED = 10;

    private final Store store;
    private final GuardClock clock;
    private final Timekeeper time;
    private final Executor threads;
    private final Reports reports;
    private final Consumer<LockKey> released;
    private final Set<Job> pending = ConcurrentHashMap.newKeySet();
    private final Set<Job> settled = ConcurrentHashMap.newKeySet();
    private final Queue<Job> stuck = new ConcurrentLinkedQueue<>();
    private final Queue<Job> notSeen = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private final AtomicInteger tooLate = new AtomicInteger();
    private volatile boolean closing;
    private volatile boolean closed;

    /**
     * Creates the compensations of one guard.
     *
     * @param released hears of keys that became free
     */
    Compensations(
            Store store,
            GuardClock clock,
            Timekeeper time,
            Executor threads,
            Reports reports,
            Consumer<LockKey> released) {
        this.store = store;
        this.clock = clock;
        this.time = time;
        this.threads = threads;
        this.reports = reports;
        this.released = released;
    }

    /**
     * Takes back what an acquire was granted, or may have been.
     *
     * @param unanswered how many of its requests may still arrive
     */
    void takeBack(LockKey key, LockId lockId, long ttlNanos, boolean granted, int unanswered) {
        Job job = new Job(key, lockId, ttlNanos, granted, unanswered, null);
        if (!start(job, 0) && closed && tooLate.incrementAndGet() <= MOST_NAMED) {
            reports.warn("closed before the answer to an acquire of key " + key.hash()
                    + "; what it may have been granted expires within " + job.leftNanos() / MILLI + " ms");
        }
    }

    /**
     * Repeats a release that failed; false if that is not possible any more.
     *
     * @param minimum until when the lock stays locked all the same
     */
    boolean repeatRelease(LockKey key, LockId lockId, long ttlNanos, int unanswered, @Nullable Minimum minimum) {
        return start(new Job(key, lockId, ttlNanos, true, unanswered, minimum), 0);
    }

    /**
     * Looks once more after a release, because a late copy of the acquire may have locked again.
     *
     * @param kept whether the release has left the lock for its minimum
     */
    void releaseOnceMore(
            LockKey key, LockId lockId, long ttlNanos, boolean kept, int unanswered, @Nullable Minimum minimum) {
        start(new Job(key, lockId, ttlNanos, kept, unanswered, minimum), store.commandTimeoutNanos());
    }

    private boolean start(Job job, long delay) {
        restartStuck();
        if (closed) {
            return false;
        }
        if (pending.size() >= MOST_JOBS) {
            if (full.compareAndSet(false, true)) {
                reports.warn("too many locks wait to be released in the background; more of them, the first of key "
                        + job.key.hash() + ", expire at their ttl");
            }
            return false;
        }
        full.set(false);
        if (pending.size() + settled.size() >= MOST_JOBS) {
            settled.stream().findFirst().ifPresent(Job::end);
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
                Job job = stuck.poll();
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
        pending.forEach(Job::hurry);
    }

    /**
     * Waits until all is released, but not longer than the limit, after a last look for what may have arrived late; says what
     * is left, and whether that is nothing. Keeps the interrupt flag.
     */
    boolean close(long limitNanos) {
        long start = System.nanoTime();
        closing = true;
        hurry();
        settled.forEach(Job::hurry);
        boolean interrupted = false;
        int withoutThread = stuck.size();
        while (!(pending.isEmpty() && settled.isEmpty()) && System.nanoTime() - start < limitNanos) {
            Job job = withoutThread-- > 0 ? stuck.poll() : null;
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

    private void name(Collection<Job> jobs, String what) {
        jobs.stream()
                .limit(MOST_NAMED)
                .forEach(job -> reports.warn(String.format(what, job.key.hash(), job.leftNanos() / MILLI)));
        if (jobs.size() > MOST_NAMED) {
            reports.warn("closed with " + (jobs.size() - MOST_NAMED) + " more locks of that kind");
        }
    }

    private final class Job {
        private final LockKey key;
        private final LockId lockId;
        private final long start = clock.now();
        private final long worthwhile;
        private final @Nullable Minimum minimum;
        private volatile boolean
                known; // whether the next lock that is found is the one that was granted, and no late one
        private volatile int mayArrive;
        private volatile int looks;
        private volatile boolean ended;
        private volatile long pause = Math.min(FIRST_PAUSE, store.commandTimeoutNanos());
        private volatile Timekeeper.@Nullable Task timer;

        Job(LockKey key, LockId lockId, long ttlNanos, boolean known, int mayArrive, @Nullable Minimum minimum) {
            this.key = key;
            this.lockId = lockId;
            this.known = known;
            this.mayArrive = mayArrive;
            this.minimum = minimum;
            this.worthwhile = ttlNanos + keptNanos() + 1000 * MILLI + store.commandTimeoutNanos();
        }

        long leftNanos() {
            return Math.max(0, worthwhile - (clock.now() - start));
        }

        void runIn(long delay) {
            try {
                if (ended) {
                    return;
                }
                if (delay == 0) {
                    submit();
                } else {
                    timer = time.schedule(delay, this::submit);
                }
            } catch (Throwable e) {
                stuck.add(this); // no thread for the timer
            }
        }

        /** The guard closes: a long pause is cut short, but not so short that an acquire under way is overtaken. */
        void hurry() {
            Timekeeper.Task waiting = timer;
            if (waiting != null && settled.contains(this)) {
                waiting.cancel();
                runIn(0);
            } else if (waiting != null && pause > store.commandTimeoutNanos()) {
                waiting.cancel();
                pause = store.commandTimeoutNanos();
                runIn(pause / 2);
            }
        }

        void end() {
            ended = true;
            pending.remove(this);
            settled.remove(this);
            Timekeeper.Task waiting = timer;
            if (waiting != null) {
                waiting.cancel();
            }
        }

        /** Tries again for a thread; false if there is none: the caller's belongs to another acquire, and does not wait. */
        boolean restart() {
            Once once = new Once(this::attempt);
            try {
                time.execute(threads, once);
                return true;
            } catch (Throwable e) {
                if (once.compareAndSet(false, true)) {
                    stuck.add(this);
                }
                return false;
            }
        }

        private void submit() {
            Runnable once = new Once(this::attempt);
            try {
                time.execute(threads, once);
            } catch (Throwable e) {
                if (CleanThreads.isUpkeep()) {
                    repeat(Failures.translate(e, key, lockId)); // no thread now: perhaps later
                } else {
                    once.run(); // out of threads: here, rather than not at all
                }
            }
        }

        private void attempt() {
            try {
                Ttl rest = Minimum.rest(minimum, clock);
                ReleaseOutcome outcome = ReleaseStep.send(store, key, lockId, rest);
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
                repeat(Failures.translate(e, key, lockId));
            }
        }

        /** The lock stays locked for its minimum: finding what is left of it says nothing about requests that may still arrive. */
        private void kept() {
            known = true;
            lookAgain();
        }

        /** Returns how long the lock stays locked although it was given back. */
        private long keptNanos() {
            Ttl left = Minimum.rest(minimum, clock);
            return left == null ? 0 : left.nanos();
        }

        private void found() {
            released.accept(key);
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
            if (times > 1 && closing) {
                notSeen.add(this);
                end();
                return;
            }
            if (times > 1 && pending.contains(this)) {
                settled.add(this); // most likely there is nothing
                pending.remove(this);
            }
            long delay = Math.min(LONGEST_PAUSE, store.commandTimeoutNanos() << Math.min(times - 1, 10));
            long worthIt = Math.min(delay, Math.max(MILLI, leftNanos()));
            runIn(times > 1 ? Math.max(worthIt, keptNanos()) : worthIt);
        }

        private void repeat(LockException failure) {
            if (leftNanos() == 0) {
                end();
                return;
            }
            reports.debug("a release in the background failed and is repeated: " + failure.getMessage());
            long delay = pause;
            pause = Math.min(LONGEST_PAUSE, 2 * pause);
            runIn(delay);
        }
    }
}
