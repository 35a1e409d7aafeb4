package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Progress;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Sample;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Skill;
import dev.syncguard.benchmarks.harness.Workload;
import dev.syncguard.testbed.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What one held lock takes in the server's memory. */
record StoredBytes() implements Workload {

    private static final String KEY = "k".repeat(64);

    @Override
    public String title() {
        return "memory of a held lock";
    }

    @Override
    public String note() {
        return "MEMORY USAGE of all keys that stand in the server while one lock is held, its key of 64 bytes. Ours includes"
                + " the counter, which stays after the release.";
    }

    @Override
    public Metric main() {
        return Metric.STORED;
    }

    @Override
    public List<String> series(Bed bed, Plan plan) {
        return measured(bed).map(Contestant::name).toList();
    }

    @Override
    public double seconds(Bed bed, Plan plan) {
        return 1;
    }

    @Override
    public List<Series> run(Bed bed, Plan plan, Progress progress) throws Exception {
        RedisServer server = ((RedisBed) bed).server();
        List<Series> series = new ArrayList<>();
        for (Contestant contestant : measured(bed).toList()) {
            try (Candidate candidate = contestant.opening().open(1)) {
                series.add(Series.of(contestant, List.of(measure(server, candidate))));
            }
        }
        return series;
    }

    private static Stream<Contestant> measured(Bed bed) {
        return bed.with(Skill.CYCLE).stream().filter(contestant -> contestant.role() != Role.FLOOR);
    }

    private static Sample measure(RedisServer server, Candidate candidate) throws Exception {
        Sample sample = new Sample();
        server.command("FLUSHALL");
        candidate.locked(KEY, () -> sample.with(Metric.STORED, bytes(server)));
        return sample;
    }

    private static double bytes(RedisServer server) {
        return server.command("KEYS", "*")
                .lines()
                .mapToDouble(key -> Double.parseDouble(server.command("MEMORY", "USAGE", key)))
                .sum();
    }
}
