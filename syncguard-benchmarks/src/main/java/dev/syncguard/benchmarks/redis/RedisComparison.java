package dev.syncguard.benchmarks.redis;

import dev.syncguard.testbed.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * Compares on one server in one run: rounds of all candidates interleaved in random order, so that a busy moment of the
 * machine meets all of them. Arguments: rounds (5) and seconds of a round (2).
 */
public final class RedisComparison {

    private final RedisServer server = RedisServer.start();
    private final int rounds;
    private final Duration length;

    private RedisComparison(int rounds, Duration length) {
        this.rounds = rounds;
        this.length = length;
    }

    /**
     * Runs all comparisons.
     *
     * @param args rounds and seconds of a round
     * @throws Exception if a candidate fails
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        new RedisComparison(rounds, Duration.ofSeconds(seconds)).run();
        System.exit(0);
    }

    private void run() throws Exception {
        Map<String, Candidate> candidates = new LinkedHashMap<>();
        candidates.put("spec floor", ScriptFloor.spec(server.url()));
        candidates.put("own floor", ScriptFloor.own(server.url()));
        candidates.put("syncguard", new GuardCandidate(server.url()));
        candidates.put("redisson RLock", RedissonCandidate.lock(server.url()));
        candidates.put("redisson RFencedLock", RedissonCandidate.fenced(server.url()));
        candidates.put("shedlock (no fence)", SpringCandidates.shedLock(server.port()));
        candidates.put("spring registry (no fence)", SpringCandidates.registry(server.port()));
        for (int threads : new int[] {1, 8, 64}) {
            compare("sync, " + threads + " threads", candidates, c -> Round.sync(server, c, threads, length));
        }
        Map<String, Candidate> async = new LinkedHashMap<>();
        async.put("spec floor", candidates.get("spec floor"));
        async.put("own floor, coalescing", ScriptFloor.ownCoalescing(server.url()));
        async.put("syncguard", candidates.get("syncguard"));
        async.put("redisson RLock", candidates.get("redisson RLock"));
        async.put("redisson RFencedLock", candidates.get("redisson RFencedLock"));
        compare("async, 256 in flight", async, c -> Round.async(server, c, 256, length));
        handOver("syncguard", i -> new GuardCandidate(server.url()));
        handOver("redisson RLock", i -> RedissonCandidate.lock(server.url()));
        handOver("syncguard", i -> new GuardCandidate(server.url()));
        handOver("redisson RLock", i -> RedissonCandidate.lock(server.url()));
        server.close();
    }

    private interface Measurement {
        Round run(Candidate candidate) throws Exception;
    }

    private void compare(String title, Map<String, Candidate> candidates, Measurement measurement) throws Exception {
        Map<String, List<Round>> results = new LinkedHashMap<>();
        candidates.keySet().forEach(name -> results.put(name, new ArrayList<>()));
        List<Map.Entry<String, Candidate>> order = new ArrayList<>(candidates.entrySet());
        for (int round = -2; round < rounds; round++) {
            Collections.shuffle(order);
            for (Map.Entry<String, Candidate> entry : order) {
                Round result = measurement.run(entry.getValue());
                if (round >= 0) {
                    results.getOrDefault(entry.getKey(), new ArrayList<>()).add(result);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%n%s%n%-28s %10s %17s %9s %9s %10s %10s%n",
                title,
                "",
                "cycles/s",
                "min - max",
                "p50 us",
                "p99 us",
                "bytes",
                "server us");
        results.forEach((name, all) -> System.out.printf(
                Locale.ROOT,
                "%-28s %10.0f %8.0f-%8.0f %9.0f %9.0f %10.0f %10.1f%n",
                name,
                median(all, Round::cyclesPerSecond),
                min(all),
                max(all),
                median(all, Round::p50Micros),
                median(all, Round::p99Micros),
                median(all, Round::bytesPerCycle),
                median(all, Round::serverMicrosPerCycle)));
    }

    private void handOver(String name, IntFunction<Candidate> client) throws Exception {
        HandOver result = HandOver.run(server, client, 8, length.multipliedBy(rounds));
        System.out.printf(
                Locale.ROOT,
                "hand-over %-20s %7d grants  p50 %.0f us  p99 %.0f us  %.2f commands/grant%n",
                name,
                result.grants(),
                result.p50Micros(),
                result.p99Micros(),
                result.commandsPerGrant());
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static double min(List<Round> rounds) {
        return rounds.stream().mapToDouble(Round::cyclesPerSecond).min().orElse(0);
    }

    private static double max(List<Round> rounds) {
        return rounds.stream().mapToDouble(Round::cyclesPerSecond).max().orElse(0);
    }
}
