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

    /** Ends the measurement. */
    Used stop() {
        double seconds = (System.nanoTime() - start) / 1e9;
        double client = (SYSTEM.getProcessCpuTime() - clientNanos) / 1e3;
        double bytes = bytes();
        return new Used(seconds, client, meter.cpuMicros() - serverMicros, bytes);
    }

    /**
     * What was used.
     *
     * @param seconds time
     * @param clientMicros processor time of this process
     * @param serverMicros processor time of the server
     * @param bytes allocated
     */
    record Used(double seconds, double clientMicros, double serverMicros, double bytes) {

        /** Divides it by cycles. */
        Sample sample(Metric rate, long cycles) {
            return new Sample()
                    .with(rate, cycles / seconds)
                    .with(Metric.CLIENT_CPU, clientMicros / cycles)
                    .with(Metric.SERVER_CPU, serverMicros / cycles)
                    .with(Metric.BYTES, bytes / cycles);
        }
    }

    private double bytes() {
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
