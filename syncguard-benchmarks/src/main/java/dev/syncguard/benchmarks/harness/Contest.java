package dev.syncguard.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Contenders that take one key from each other for a while. */
final class Contest {

    private static final int NOBODY = -1;
    private static final long HOLD_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE = 50_000_000;

    private final List<Candidate> contenders;
    private final Duration length;
    private final AtomicReferenceArray<Thread> threads;
    private final AtomicInteger holder = new AtomicInteger(NOBODY);
    /** Only the holder touches it, so the lock that is measured guards it. */
    private final Histogram times = Latencies.one();

    private volatile long end;
    private volatile long released;

    Contest(List<Candidate> contenders, Duration length) {
        this.contenders = contenders;
        this.length = length;
        this.threads = new AtomicReferenceArray<>(contenders.size());
    }

    Histogram times() {
        return times;
    }

    void run(Crew crew) throws Exception {
        end = System.nanoTime() + length.toNanos();
        crew.run(this::contend);
    }

    private void contend(int number) throws Exception {
        threads.set(number, Thread.currentThread());
        while (System.nanoTime() - end < 0) {
            contenders.get(number).locked("hot", () -> hold(number));
            while (holder.get() == number && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(LONGEST_PAUSE);
            }
        }
    }

    private void hold(int number) {
        long now = System.nanoTime();
        int before = holder.getAndSet(number);
        if (before != NOBODY) {
            times.recordValue(Math.max(1, now - released));
            LockSupport.unpark(threads.get(before));
        }
        while (System.nanoTime() - now < HOLD_NANOS) {
            LockSupport.parkNanos(HOLD_NANOS - (System.nanoTime() - now));
        }
        released = System.nanoTime();
    }
}
