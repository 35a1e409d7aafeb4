package dev.syncguard.benchmarks.fences;

import com.sun.management.OperatingSystemMXBean;
import dev.syncguard.benchmarks.fences.Turns.Write;
import dev.syncguard.benchmarks.report.Spread;
import io.lettuce.core.api.sync.RedisCommands;
import java.lang.management.ManagementFactory;
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

/** The processor time of one write, in this process and in the server, candidates taking turns. */
final class ProcessorTime {

    static final String HEAD =
            "| write | threads | client, µs | server, µs | writes for the same time, relative to the first |\n"
                    + "|---|---|---|---|---|";

    private static final int WARM_UP = 3;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final RedisCommands<String, String> redis;
    private final int threads;
    private final int rounds;
    private final int writes;

    ProcessorTime(int threads, int rounds, int writes, RedisCommands<String, String> redis) {
        this.threads = threads;
        this.rounds = rounds;
        this.writes = writes;
        this.redis = redis;
    }

    private static final class Costs {

        final double[] client;
        final double[] server;

        Costs(int rounds) {
            client = new double[rounds];
            server = new double[rounds];
        }

        double[] perSecondOfBoth() {
            double[] rates = new double[client.length];
            for (int i = 0; i < rates.length; i++) {
                rates[i] = 1e6 / (client[i] + server[i]);
            }
            return rates;
        }
    }

    /** Returns a row for each candidate; the first one is the reference of the ratios. */
    List<String> rows(Map<String, Write> candidates) throws Exception {
        Map<String, Costs> costs = new LinkedHashMap<>();
        candidates.keySet().forEach(name -> costs.put(name, new Costs(rounds)));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = -WARM_UP; round < rounds; round++) {
                List<String> order = new ArrayList<>(candidates.keySet());
                Collections.shuffle(order, new Random(round));
                for (String name : order) {
                    Write write = Objects.requireNonNull(candidates.get(name));
                    measure(pool, write, Objects.requireNonNull(costs.get(name)), round);
                }
            }
        } finally {
            pool.shutdownNow();
        }
        double[] reference = costs.values().iterator().next().perSecondOfBoth();
        return costs.entrySet().stream()
                .map(entry -> row(entry.getKey(), entry.getValue(), reference))
                .toList();
    }

    private void measure(ExecutorService pool, Write write, Costs costs, int round) throws Exception {
        long client = system.getProcessCpuTime();
        double server = serverSeconds();
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            tasks.add(() -> {
                for (int done = 0; done < writes / threads; done++) {
                    write.run(thread);
                }
                return true;
            });
        }
        for (Future<Boolean> task : pool.invokeAll(tasks)) {
            task.get();
        }
        if (round >= 0) {
            costs.client[round] = (system.getProcessCpuTime() - client) / 1e3 / writes;
            costs.server[round] = (serverSeconds() - server) * 1e6 / writes;
        }
    }

    private double serverSeconds() {
        return redis.info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private String row(String name, Costs costs, double[] reference) {
        Spread ratio = Spread.ratio(costs.perSecondOfBoth(), reference);
        return "| %s | %d | %.1f | %.1f | %.2f (%.2f to %.2f) |"
                .formatted(
                        name,
                        threads,
                        Spread.of(costs.client).median(),
                        Spread.of(costs.server).median(),
                        ratio.median(),
                        ratio.min(),
                        ratio.max());
    }
}
