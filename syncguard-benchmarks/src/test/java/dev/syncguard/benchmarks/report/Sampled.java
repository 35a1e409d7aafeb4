package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Figures to judge, made up for tests. */
final class Sampled {

    private Sampled() {}

    static Series series(String name, Role role, Metric metric, double... values) {
        return new Series(name, role, "", new EnumMap<>(Map.of(metric, values)));
    }

    static Results results(String store, String workload, Metric main, Series... series) {
        Measured measured = new Measured(store, workload, "A note.", main, "syncguard", 1.5, List.of(series));
        return new Results(
                "today", "full", Map.of("cores", "2"), Map.of("redisson", "4"), List.of(measured), List.of());
    }
}
