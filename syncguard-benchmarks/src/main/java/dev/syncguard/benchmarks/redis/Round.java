package dev.syncguard.benchmarks.redis;

import dev.syncguard.testbed.RedisServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one round of one candidate gave.
 *
 * @param cyclesPerSecond acquire and release together
 * @param p50Micros the median of a cycle, as its caller sees it; 0 if not measured
 * @param p99Micros likewise
 * @param bytesPerCycle what all threads of this process allocated
 * @param serverMicrosPerCycle processor time of the server
 */
record Round(
        double cyclesPerSecond, double p50Micros, double p99Micros, double bytesPerCycle, double serverMicrosPerCycle) {

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Threads in a loop, each with its own key. */
    static Round sync(RedisServer server, Candidate candidate, int threads, Duration length) throws Exception {
        List<Worker> workers = new ArrayList<>();
        long end = System.nanoTime() + length.toNanos();
        long start = System.nanoTime();
        double cpu = cpuMicros(server);
        long idle = allocated();
        for (int i = 0; i < threads; i++) {
            Worker worker = new Worker(candidate, "bench-" + threads + "-" + i, end);
            workers.add(worker);
            worker.start();
        }
        Histogram all = new Histogram(3);
        long bytes = 0;
        for (Worker worker : workers) {
            worker.join();
            if (worker.failure.get() != null) {
                throw new IllegalStateException(worker.failure.get());
            }
            all.add(worker.histogram);
            bytes += worker.bytes;
        }
        bytes += allocated() - idle;
        return of(start, all.getTotalCount(), all, bytes, cpuMicros(server) - cpu);
    }

    /** A number of cycles in flight at any time, each on its own key. */
    static Round async(RedisServer server, Candidate candidate, int inFlight, Duration length) throws Exception {
        Semaphore running = new Semaphore(inFlight);
        AtomicLong cycles = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long start = System.nanoTime();
        long end = start + length.toNanos();
        double cpu = cpuMicros(server);
        long idle = allocated();
        for (int i = 0; i < inFlight; i++) {
            running.acquire();
            next(candidate, i, end, cycles, failure, running);
        }
        running.acquire(inFlight);
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        return of(start, cycles.get(), null, allocated() - idle, cpuMicros(server) - cpu);
    }

    private static void next(
            Candidate candidate,
            int i,
            long end,
            AtomicLong cycles,
            AtomicReference<Throwable> failure,
            Semaphore running) {
        candidate.cycleAsync("async-" + i, i + 1_000_000L).whenComplete((done, thrown) -> {
            cycles.incrementAndGet();
            if (thrown != null) {
                failure.set(thrown);
            }
            if (thrown == null && System.nanoTime() - end < 0) {
                next(candidate, i, end, cycles, failure, running);
            } else {
                running.release();
            }
        });
    }

    private static Round of(long start, long cycles, @Nullable Histogram latency, long bytes, double cpu) {
        double seconds = (System.nanoTime() - start) / 1e9;
        double p50 = latency == null ? 0 : latency.getValueAtPercentile(50) / 1000.0;
        double p99 = latency == null ? 0 : latency.getValueAtPercentile(99) / 1000.0;
        return new Round(cycles / seconds, p50, p99, (double) bytes / cycles, cpu / cycles);
    }

    /** What the threads that live now have allocated; those that end count themselves. */
    private static long allocated() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    private static double cpuMicros(RedisServer server) {
        return server.command("INFO", "cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)) * 1e6)
                .sum();
    }

    private static final class Worker extends Thread {
        private final Candidate candidate;
        private final String key;
        private final long end;
        private final Histogram histogram = new Histogram(3);
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private long bytes;

        Worker(Candidate candidate, String key, long end) {
            this.candidate = candidate;
            this.key = key;
            this.end = end;
        }

        @Override
        public void run() {
            try {
                for (long now = System.nanoTime(); now - end < 0; ) {
                    candidate.cycle(key);
                    long after = System.nanoTime();
                    histogram.recordValue(after - now);
                    now = after;
                }
            } catch (Throwable e) {
                failure.set(e);
            }
            bytes = THREADS.getThreadAllocatedBytes(threadId(this));
        }

        @SuppressWarnings("deprecation")
        private static long threadId(Thread thread) {
            return thread.getId();
        }
    }
}
