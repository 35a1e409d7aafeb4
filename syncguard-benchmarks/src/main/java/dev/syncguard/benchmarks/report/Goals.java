package dev.syncguard.benchmarks.report;

import static dev.syncguard.benchmarks.harness.Contestant.SYNCGUARD;

import dev.syncguard.benchmarks.harness.Growth;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.memory.MemoryCycles;
import dev.syncguard.benchmarks.report.Goal.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What this project wants to reach. */
public final class Goals {

    private static final String ONE = "uncontended, 1 thread";
    private static final String EIGHT = "uncontended, 8 threads";
    private static final String MANY = "uncontended, 64 threads";
    private static final String ASYNC = "asynchronous, 256 in flight";
    private static final String CLIENTS = "hand-over, 8 clients";
    private static final String RLOCK = "redisson RLock";
    private static final String FENCED = "redisson RFencedLock";
    private static final double KIB = 1024;

    private final List<Goal> goals = new ArrayList<>();

    private Goals() {}

    /** Returns all of them. */
    public static List<Goal> all() {
        Goals all = new Goals();
        all.redisThroughput();
        all.redisCosts();
        all.postgres();
        all.firestore();
        all.sqlite();
        all.memory();
        return List.copyOf(all.goals);
    }

    private void redisThroughput() {
        for (String workload : List.of(ONE, EIGHT, MANY)) {
            atLeast(0.95, "redis", workload, Metric.CYCLES, "own floor");
            atLeast(0.90, "redis", workload, Metric.CYCLES, "spec floor");
        }
        for (String workload : List.of(EIGHT, MANY)) {
            atLeast(1.9, "redis", workload, Metric.CYCLES, RLOCK);
            atLeast(1.9, "redis", workload, Metric.CYCLES, FENCED);
        }
        atMost(1.05, "redis", ONE, Metric.P50, "own floor");
        atLeast(0.95, "redis", EIGHT, Metric.CYCLES, "shedlock");
        atLeast(0.95, "redis", ASYNC, Metric.CYCLES, "own floor, coalescing");
        atLeast(2.3, "redis", ASYNC, Metric.CYCLES, RLOCK);
        atLeast(2.3, "redis", ASYNC, Metric.CYCLES, FENCED);
    }

    private void redisCosts() {
        for (String workload : List.of(ONE, EIGHT, MANY, ASYNC)) {
            atMost(4.5 * KIB, "redis", workload, Metric.BYTES);
            atMost(1.1, "redis", workload, Metric.SERVER_CPU, "spec floor");
        }
        atMost(KIB, "redis", "memory of a held lock", Metric.STORED);
        atMost(1.0, "redis", CLIENTS, Metric.P50, RLOCK);
        atMost(0.5, "redis", CLIENTS, Metric.COMMANDS, RLOCK);
        atMost(3, "redis", "waiting crowd", Metric.COMMANDS);
        atMost(5, "redis", "extend storm", Metric.CORE_SHARE);
        atMost(20, "redis", "extend storm", Metric.RENEWED_AFTER);
        growth("redis");
    }

    private void postgres() {
        atLeast(0.95, "postgres", ONE, Metric.CYCLES, "hand-written");
        atLeast(0.95, "postgres", EIGHT, Metric.CYCLES, "hand-written");
        atLeast(1.4, "postgres", EIGHT, Metric.CYCLES, "shedlock");
        atLeast(1.6, "postgres", EIGHT, Metric.CYCLES, "spring registry");
        add("postgres", figure(MANY, Metric.CYCLES), new Figure(EIGHT, SYNCGUARD, Metric.CYCLES), true, 0.8);
        atMost(2, "postgres", ONE, Metric.COMMANDS);
        atMost(0, "postgres", "refused attempts", Metric.WAL);
        atMost(0.5, "postgres", CLIENTS, Metric.P50, "spring registry");
        atMost(3, "postgres", "waiting crowd", Metric.COMMANDS);
        growth("postgres");
    }

    private void firestore() {
        atMost(1.0, "firestore", ONE, Metric.COMMANDS, "hand-written");
    }

    private void sqlite() {
        atLeast(500, "sqlite", "8 processes on one file", Metric.CYCLES);
        atLeast(1 / 3.0, "sqlite", "8 processes on one file", Metric.EVENNESS);
        growth("sqlite");
    }

    private void memory() {
        String cycles = new MemoryCycles().title();
        atMost(3, "memory", cycles, Metric.MEAN);
        atMost(KIB, "memory", cycles, Metric.BYTES);
        Figure two = new Figure(cycles, MemoryCycles.TWO_THREADS, Metric.CYCLES);
        add("memory", two, figure(cycles, Metric.CYCLES), true, 1.6);
        growth("memory");
    }

    private void growth(String store) {
        String title = new Growth().title();
        Figure most = new Figure(title, Growth.name(Growth.MOST), Metric.P50);
        add(store, most, new Figure(title, Growth.name(Growth.FEWEST), Metric.P50), false, 1.2);
    }

    private void atLeast(double bound, String store, String workload, Metric metric, String reference) {
        add(store, figure(workload, metric), new Figure(workload, reference, metric), true, bound);
    }

    private void atMost(double bound, String store, String workload, Metric metric, String reference) {
        add(store, figure(workload, metric), new Figure(workload, reference, metric), false, bound);
    }

    private void atLeast(double bound, String store, String workload, Metric metric) {
        goals.add(new Goal(store, figure(workload, metric), Optional.empty(), true, bound));
    }

    private void atMost(double bound, String store, String workload, Metric metric) {
        goals.add(new Goal(store, figure(workload, metric), Optional.empty(), false, bound));
    }

    private void add(String store, Figure figure, Figure reference, boolean atLeast, double bound) {
        goals.add(new Goal(store, figure, Optional.of(reference), atLeast, bound));
    }

    private static Figure figure(String workload, Metric metric) {
        return new Figure(workload, SYNCGUARD, metric);
    }
}
