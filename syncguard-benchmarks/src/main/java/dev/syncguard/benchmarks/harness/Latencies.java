package dev.syncguard.benchmarks.harness;

import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Room for times of up to two minutes, taken before anything is measured: it must not count as allocation of a cycle. */
final class Latencies {

    private static final long LONGEST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;

    private final Histogram[] threads;

    Latencies(int threads) {
        this.threads = IntStream.range(0, threads).mapToObj(thread -> one()).toArray(Histogram[]::new);
    }

    /** For one thread at a time. */
    static Histogram one() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }

    /** For any threads. */
    static Histogram shared() {
        return new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
    }

    Histogram of(int thread) {
        return threads[thread];
    }

    Histogram all() {
        Histogram all = threads[0].copy();
        for (int i = 1; i < threads.length; i++) {
            all.add(threads[i]);
        }
        return all;
    }
}
