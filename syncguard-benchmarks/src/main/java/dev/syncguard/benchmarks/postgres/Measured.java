package dev.syncguard.benchmarks.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Runs candidates for a while. */
final class Measured {

    private Measured() {}

    private interface Step {
        void run() throws Exception;
    }

    /** Returns the cycles per second of some threads that lock keys of their own. */
    static double cyclesPerSecond(Candidate candidate, int threads, long millis) {
        AtomicLong cycles = new AtomicLong();
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
        together(
                threads,
                i -> {
                    String key = "bench-" + i;
                    return () -> {
                        candidate.locked(key, () -> {});
                        cycles.incrementAndGet();
                    };
                },
                end);
        return cycles.get() * 1e9 / (System.nanoTime() - start);
    }

    /**
     * Lets clients contend for one key; returns the times from a release that begins to the next acquire that returns.
     * A client does not ask again before another one has got the lock, so that all the others wait for each release.
     */
    static Histogram handOver(List<? extends Candidate> clients, long millis) {
        Histogram times = new ConcurrentHistogram(3);
        AtomicLong released = new AtomicLong();
        AtomicInteger holder = new AtomicInteger(-1);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        together(
                clients.size(),
                i -> () -> {
                    clients.get(i).locked("hand-over", () -> {
                        if (holder.getAndSet(i) >= 0) {
                            times.recordValue(System.nanoTime() - released.get());
                        }
                        LockSupport.parkNanos(2_000_000);
                        released.set(System.nanoTime());
                    });
                    while (holder.get() == i && System.nanoTime() - end < 0) {
                        LockSupport.parkNanos(100_000);
                    }
                },
                end);
        return times;
    }

    private interface Steps {
        Step of(int thread);
    }

    private static void together(int threads, Steps steps, long end) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Step step = steps.of(i);
                all.add(CompletableFuture.runAsync(() -> repeat(step, end), pool));
            }
            all.forEach(CompletableFuture::join);
        } finally {
            pool.shutdownNow();
        }
    }

    private static void repeat(Step step, long end) {
        try {
            while (System.nanoTime() - end < 0) {
                step.run();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
