package dev.syncguard.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What this runs on. */
public final class Machine {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private Machine() {}

    /** Describes it. */
    public static Map<String, String> describe() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processor", processor());
        machine.put("cores", Integer.toString(SYSTEM.getAvailableProcessors()));
        machine.put(
                "memory", String.format(Locale.ROOT, "%.0f GiB", SYSTEM.getTotalMemorySize() / (double) (1L << 30)));
        machine.put("system", SYSTEM.getName() + " " + SYSTEM.getVersion() + " " + SYSTEM.getArch());
        machine.put("JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        return machine;
    }

    /** Returns the load of the last minute: what others did meanwhile is in it. */
    public static String load() {
        return String.format(Locale.ROOT, "%.2f", SYSTEM.getSystemLoadAverage());
    }

    private static String processor() {
        try {
            return Files.readString(Path.of("/proc/cpuinfo"))
                    .lines()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
