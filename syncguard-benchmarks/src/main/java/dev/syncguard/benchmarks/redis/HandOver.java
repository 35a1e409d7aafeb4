package dev.syncguard.benchmarks.redis;

import dev.syncguard.testbed.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * Several clients on one key.
 *
 * @param grants how many times the lock changed hands
 * @param p50Micros from the moment a release is invoked until the next acquire has returned
 * @param p99Micros likewise
 * @param commandsPerGrant what the server executed, scripts counting as one
 */
record HandOver(long grants, double p50Micros, double p99Micros, double commandsPerGrant) {

    private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    static HandOver run(RedisServer server, IntFunction<Candidate> client, int clients, Duration length)
            throws Exception {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            candidates.add(client.apply(i));
        }
        contend(candidates, Duration.ofSeconds(2), new Histogram(3));
        Histogram histogram = new Histogram(3);
        long before = commands(server);
        contend(candidates, length, histogram);
        long commands = commands(server) - before;
        candidates.forEach(Candidate::close);
        long grants = histogram.getTotalCount();
        return new HandOver(
                grants,
                histogram.getValueAtPercentile(50) / 1000.0,
                histogram.getValueAtPercentile(99) / 1000.0,
                (double) commands / grants);
    }

    private static void contend(List<Candidate> candidates, Duration length, Histogram histogram) throws Exception {
        AtomicLong released = new AtomicLong();
        long end = System.nanoTime() + length.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (Candidate candidate : candidates) {
            Thread thread = new Thread(() -> loop(candidate, end, released, histogram));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void loop(Candidate candidate, long end, AtomicLong released, Histogram histogram) {
        try {
            while (System.nanoTime() - end < 0) {
                candidate.contend("hot", () -> held(released, histogram), () -> released.set(System.nanoTime()));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Only the holder runs this, so the histogram needs no lock. */
    private static void held(AtomicLong released, Histogram histogram) {
        long now = System.nanoTime();
        long before = released.get();
        if (before != 0) {
            histogram.recordValue(Math.max(1, now - before));
        }
        while (System.nanoTime() - now < HOLD_NANOS) {
            LockSupport.parkNanos(HOLD_NANOS - (System.nanoTime() - now));
        }
    }

    /** Commands that clients sent: what scripts call inside is not counted. */
    private static long commands(RedisServer server) {
        String inside = "time|get|set|del|incr|exists|pexpire|hexists|hincrby|publish|pttl|hget|hdel|hset";
        return server.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .filter(line -> !line.matches("cmdstat_(" + inside + "|info):.*"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+).*", "$1")))
                .sum();
    }
}
