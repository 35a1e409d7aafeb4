package dev.syncguard.benchmarks.harness;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Threads that acquire and release, each a key of its own.
 *
 * @param threads how many
 */
public record Uncontended(int threads) implements Workload {

    private static final int COUNTED = 50;

    @Override
    public String title() {
        return threads == 1 ? "uncontended, 1 thread" : "uncontended, " + threads + " threads";
    }

    @Override
    public String note() {
        return "Acquire and release of a key that nobody else uses, blocking."
                + (threads == 1 ? " Commands are counted in a pass of their own, on the server." : "");
    }

    @Override
    public Metric main() {
        return Metric.CYCLES;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return bed.names(Skill.CYCLE);
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return plan.seconds(bed.with(Skill.CYCLE).size());
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        Map<Contestant, Candidate> candidates = bed.open(Skill.CYCLE);
        IntFunction<Supplier<String>> keys = thread -> {
            String key = "bench-" + threads + "-" + thread;
            return () -> key;
        };
        List<Series> series = Rounds.interleaved(
                candidates, plan, progress, candidate -> measure(candidate, threads, keys, bed.meter(), plan));
        if (threads == 1) {
            for (Series one : series) {
                count(one, candidates, bed.meter());
            }
        }
        return series;
    }

    private static void count(Series series, Map<Contestant, Candidate> candidates, Meter meter) throws Exception {
        for (Map.Entry<Contestant, Candidate> entry : candidates.entrySet()) {
            if (entry.getKey().name().equals(series.name())) {
                entry.getValue()
                        .locked("counted", Candidate.NOTHING); // so that no pool has to look after its connections
                double commands = meter.commands(() -> {
                    for (int i = 0; i < COUNTED; i++) {
                        entry.getValue().locked("counted", Candidate.NOTHING);
                    }
                });
                if (!Double.isNaN(commands)) {
                    series.values().put(Metric.COMMANDS, new double[] {commands / COUNTED});
                }
            }
        }
    }

    static Sample measure(Candidate candidate, int threads, IntFunction<Supplier<String>> keys, Meter meter, Plan plan)
            throws Exception {
        Latencies latencies = new Latencies(threads);
        try (Crew crew = new Crew(threads)) {
            Usage usage = new Usage(meter);
            long end = System.nanoTime() + plan.round().toNanos();
            crew.run(thread -> repeat(candidate, keys.apply(thread), end, latencies.of(thread)));
            Usage.Used used = usage.stop();
            Histogram all = latencies.all();
            return used.sample(Metric.CYCLES, all.getTotalCount()).with(all);
        }
    }

    private static void repeat(Candidate candidate, Supplier<String> keys, long end, Histogram times) throws Exception {
        for (long now = System.nanoTime(); now - end < 0; ) {
            candidate.locked(keys.get(), Candidate.NOTHING);
            long after = System.nanoTime();
            times.recordValue(after - now);
            now = after;
        }
    }
}
