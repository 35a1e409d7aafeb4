package dev.syncguard.benchmarks.fences;

import dev.syncguard.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Lets candidates take turns, in a new random order in each round, and counts what each does in a second. */
final class Turns {

    /** One write, by one of the threads. */
    @FunctionalInterface
    interface Write {
        void run(int thread) throws Exception;
    }

    private static final int WARM_UP = 3;

    private final int threads;
    private final int rounds;
    private final long roundNanos;
    private final Map<String, Write> candidates = new LinkedHashMap<>();

    Turns(int threads, int rounds, long roundMillis) {
        this.threads = threads;
        this.rounds = rounds;
        this.roundNanos = TimeUnit.MILLISECONDS.toNanos(roundMillis);
    }

    Turns with(String name, Write write) {
        candidates.put(name, write);
        return this;
    }

    /** Returns a row for each candidate; the first one is the reference of the ratios. */
    List<String> rows() throws Exception {
        Map<String, double[]> figures = new LinkedHashMap<>();
        candidates.keySet().forEach(name -> figures.put(name, new double[rounds]));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = -WARM_UP; round < rounds; round++) {
                List<String> order = new ArrayList<>(candidates.keySet());
                Collections.shuffle(order, new Random(round));
                for (String name : order) {
                    double perSecond = measure(pool, Objects.requireNonNull(candidates.get(name)));
                    if (round >= 0) {
                        Objects.requireNonNull(figures.get(name))[round] = perSecond;
                    }
                }
            }
        } finally {
            pool.shutdownNow();
        }
        double[] reference = figures.values().iterator().next();
        return figures.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue(), reference))
                .toList();
    }

    private double measure(ExecutorService pool, Write write) throws Exception {
        long start = System.nanoTime();
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            tasks.add(() -> {
                long done = 0;
                while (System.nanoTime() - start < roundNanos) {
                    write.run(thread);
                    done++;
                }
                return done;
            });
        }
        long all = 0;
        for (Future<Long> task : pool.invokeAll(tasks)) {
            all += task.get();
        }
        return all * 1e9 / (System.nanoTime() - start);
    }

    private String row(String name, double[] values, double[] reference) {
        Spread perSecond = Spread.of(values);
        Spread ratio = Spread.ratio(values, reference);
        return "| %s | %d | %.0f (%.0f to %.0f) | %.2f (%.2f to %.2f) |"
                .formatted(
                        name,
                        threads,
                        perSecond.median(),
                        perSecond.min(),
                        perSecond.max(),
                        ratio.median(),
                        ratio.min(),
                        ratio.max());
    }
}
