package dev.syncguard.benchmarks.memory;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Progress;
import dev.syncguard.benchmarks.harness.Rounds;
import dev.syncguard.benchmarks.harness.Sample;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Cycles that take less than a look at the clock: JMH runs them, each round in a fresh JVM. */
public record MemoryCycles() implements Workload {

    /** What goals refer to. */
    public static final String TWO_THREADS = "facade, 2 threads";

    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int ROUNDS = 9;

    @Override
    public String title() {
        return "cycles";
    }

    @Override
    public String note() {
        return "JMH, acquire and release, each thread a key of its own; every round a JVM of its own, which warms up first.";
    }

    @Override
    public Metric main() {
        return Metric.CYCLES;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return benchmarks().keySet().stream().map(Contestant::name).toList();
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return benchmarks().size() * ROUNDS * (1 + 2 * plan.round().toMillis() * 3 / 1e3);
    }

    private static TimeValue iteration(Plan plan) {
        return TimeValue.milliseconds(plan.round().toMillis());
    }

    private static Map<Contestant, String> benchmarks() {
        Map<Contestant, String> methods = new LinkedHashMap<>();
        methods.put(Contestant.ours(Contestant.SYNCGUARD, "facade, 1 thread"), "facade1");
        methods.put(Contestant.ours(TWO_THREADS, ""), "facade2");
        methods.put(Contestant.ours("facade with telemetry", "1 thread; a listener that does nothing"), "telemetry1");
        methods.put(Contestant.ours("backend alone", "1 thread; no lease, no waiting"), "backend1");
        return methods;
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        return Rounds.interleaved(benchmarks(), plan.rounds(0, ROUNDS), progress, method -> measure(method, plan));
    }

    private static Sample measure(String method, Plan plan) throws Exception {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(Pattern.quote(LockCycleBenchmark.class.getName() + "." + method))
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(iteration(plan))
                        .measurementIterations(3)
                        .measurementTime(iteration(plan))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle();
        double perMicrosecond = result.getPrimaryResult().getScore();
        return new Sample()
                .with(Metric.CYCLES, perMicrosecond * 1e6)
                .with(Metric.MEAN, result.getParams().getThreads() / perMicrosecond)
                .with(Metric.BYTES, allocated(result));
    }

    private static double allocated(RunResult result) {
        Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
        return bytes == null ? Double.NaN : bytes.getScore();
    }
}
