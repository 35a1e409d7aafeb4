package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time by which leases are judged: monotonic, and it goes on while the machine is suspended (decision E8).
 *
 * <p>The monotonic clock stands still during a suspension, the wall clock does not. {@link #look()} compares both: when the
 * wall clock has run ahead by more than a second, the difference counts as time that has passed. A wall clock that was
 * set forward may so cost a lease, which is the safe side; one that was set back changes nothing.
 */
final class GuardClock {

    private static final long MILLI = 1_000_000;
    private static final long JUMP_MS = 1000;
    private static final long DRIFT_MS = 100;

    private final Timekeeper time;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long baselineMs;
    private volatile long suspendedNanos;

    GuardClock(Timekeeper time) {
        this.time = time;
        this.baselineMs = aheadMs(time.nanoTime());
    }

    /** Returns the time, with suspensions as far as they were noticed. */
    long now() {
        return time.nanoTime() + suspendedNanos;
    }

    /** Returns the monotonic time alone, for what must not be over too early. */
    long monotonic() {
        return time.nanoTime();
    }

    /** Returns for how long the machine is presumed to have been suspended: part of {@link #now()}. */
    long suspendedNanos() {
        return suspendedNanos;
    }

    /** Returns the time after looking for a suspension. */
    long look() {
        long nanos = time.nanoTime();
        long drift = aheadMs(nanos) - baselineMs;
        if (drift > DRIFT_MS || drift < -DRIFT_MS) {
            adjust();
            nanos = time.nanoTime();
        }
        return nanos + suspendedNanos;
    }

    private void adjust() {
        lock.lock();
        try {
            long ahead = aheadMs(time.nanoTime());
            long drift = ahead - baselineMs;
            if (drift > JUMP_MS) {
                long before = suspendedNanos;
                suspendedNanos = before + drift * MILLI;
            }
            if (drift > JUMP_MS || drift < 0) {
                baselineMs = ahead; // a slow drift forward stays until it adds up to a jump
            }
        } finally {
            lock.unlock();
        }
    }

    private long aheadMs(long nanos) {
        return time.currentTimeMillis() - nanos / MILLI;
    }
}
