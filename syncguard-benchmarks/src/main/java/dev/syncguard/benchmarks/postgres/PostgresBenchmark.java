package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.testbed.PostgresServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.HdrHistogram.Histogram;

/**
 * Compares lock cycles and hand-over on a server that writes everything to disk. Rounds are interleaved, so that whatever
 * else the machine does hits all candidates; the table shows the median and the lowest and highest round.
 */
public final class PostgresBenchmark {

    private static final PrintStream OUT = System.out;
    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final long MILLIS = Long.getLong("millis", 2000);

    private final String url;

    private PostgresBenchmark(String url) {
        this.url = url;
    }

    /**
     * Runs everything.
     *
     * @param arguments the JDBC URL of a server; without it one is started, with fsync and synchronous_commit on
     * @throws Exception if something fails
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            new PostgresBenchmark(arguments[0]).run();
            return;
        }
        try (PostgresServer server =
                PostgresServer.start(Map.of("fsync", "on", "synchronous_commit", "on", "max_connections", "200"))) {
            new PostgresBenchmark(server.url()).run();
        }
    }

    private void run() throws Exception {
        cycles(1);
        cycles(8);
        try (HikariDataSource pool = pool(8);
                Candidate ours = new Ours(pool)) {
            Map<String, Candidate> one = Map.of("ours, 64 threads on 8 connections", ours);
            report("cycles/s", rounds(one, candidate -> Measured.cyclesPerSecond(candidate, 64, MILLIS)));
        }
        handOver("ours", Ours::new);
        handOver("Spring JdbcLockRegistry", Spring::new);
    }

    private void cycles(int threads) throws Exception {
        try (HikariDataSource pool = pool(threads + 2)) {
            Map<String, Candidate> candidates = new LinkedHashMap<>();
            candidates.put("hand-written, " + threads + " threads", new HandWritten(pool));
            candidates.put("ours, " + threads + " threads", new Ours(pool));
            candidates.put("ShedLock JDBC, " + threads + " threads", new ShedLock(pool));
            candidates.put("Spring JdbcLockRegistry, " + threads + " threads", new Spring(pool));
            report("cycles/s", rounds(candidates, candidate -> Measured.cyclesPerSecond(candidate, threads, MILLIS)));
            candidates.values().forEach(Candidate::close);
        }
    }

    /** Eight clients as in eight processes: each has a pool of its own. */
    private void handOver(String name, Function<DataSource, Candidate> make) {
        List<HikariDataSource> pools =
                IntStream.range(0, 8).mapToObj(i -> pool(3)).toList();
        List<Candidate> clients = pools.stream().map(make).toList();
        Measured.handOver(clients, MILLIS);
        Histogram times = Measured.handOver(clients, MILLIS * ROUNDS);
        OUT.printf(
                "hand-over, 8 clients, %-24s p50 %6.2f ms  p99 %7.2f ms  %d hand-overs%n",
                name,
                times.getValueAtPercentile(50) / 1e6,
                times.getValueAtPercentile(99) / 1e6,
                times.getTotalCount());
        clients.forEach(Candidate::close);
        pools.forEach(HikariDataSource::close);
    }

    private interface Round {
        double of(Candidate candidate);
    }

    private static Map<String, double[]> rounds(Map<String, Candidate> candidates, Round round) {
        Map<String, List<Double>> results = new LinkedHashMap<>();
        for (int i = -1; i < ROUNDS; i++) {
            boolean warmUp = i < 0;
            candidates.forEach((name, candidate) -> {
                double result = round.of(candidate);
                if (!warmUp) {
                    results.computeIfAbsent(name, key -> new ArrayList<>()).add(result);
                }
            });
        }
        Map<String, double[]> sorted = new LinkedHashMap<>();
        results.forEach((name, values) -> sorted.put(
                name, values.stream().mapToDouble(Double::doubleValue).sorted().toArray()));
        return sorted;
    }

    private static void report(String unit, Map<String, double[]> results) {
        results.forEach((name, sorted) -> OUT.printf(
                "%-44s median %7.0f %s  (%.0f to %.0f)%n",
                name,
                sorted[sorted.length / 2],
                unit,
                Arrays.stream(sorted).min().orElseThrow(),
                sorted[sorted.length - 1]));
    }

    private HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }
}
