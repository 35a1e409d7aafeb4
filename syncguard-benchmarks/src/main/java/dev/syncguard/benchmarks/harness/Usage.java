package dev.syncguard.benchmarks.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** What this process and the server use from now on. Threads that worked must be alive when it is read. */
final class Usage {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Meter meter;
    private final double serverMicros;
    private final Map<Long, Long> allocated;
    private final long clientNanos;
    private final long start;

    Usage(Meter meter) {
        this.meter = meter;
        this.serverMicros = meter.cpuMicros();
        this.allocated = allocated();
        this.clientNanos = SYSTEM.getProcessCpuTime();
        this.start = System.nanoTime();
    }

    /** Returns the figures of so many cycles. */
    Sample sample(Metric rate, long cycles) {
        double seconds = (System.nanoTime() - start) / 1e9;
        long client = SYSTEM.getProcessCpuTime() - clientNanos;
        double server = meter.cpuMicros() - serverMicros;
        return new Sample()
                .with(rate, cycles / seconds)
                .with(Metric.CLIENT_CPU, client / 1e3 / cycles)
                .with(Metric.SERVER_CPU, server / cycles)
                .with(Metric.BYTES, (double) bytes() / cycles);
    }

    private long bytes() {
        return allocated().entrySet().stream()
                .mapToLong(now -> now.getValue() - allocated.getOrDefault(now.getKey(), 0L))
                .sum();
    }

    private static Map<Long, Long> allocated() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> byThread = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            byThread.put(ids[i], Math.max(0, bytes[i]));
        }
        return byThread;
    }
}
