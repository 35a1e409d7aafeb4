package dev.syncguard.faults.client;

import dev.syncguard.FenceMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a client process is told to do, as arguments of its command line. */
public record Assignment(
        Path directory,
        String process,
        String url,
        int registerPort,
        long seed,
        FenceMode fenceMode,
        Duration commandTimeout,
        List<String> workloads) {

    /** For how long a guard that is closed waits for what is under way. */
    Duration closeLimit() {
        return commandTimeout.multipliedBy(2);
    }

    /** Returns the arguments for the client's main method. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add("directory=" + directory);
        arguments.add("process=" + process);
        arguments.add("url=" + url);
        arguments.add("register=" + registerPort);
        arguments.add("seed=" + seed);
        arguments.add("fences=" + fenceMode);
        arguments.add("timeout=" + commandTimeout.toMillis());
        arguments.add("workloads=" + String.join(",", workloads));
        return arguments;
    }

    static Assignment parse(String... arguments) {
        Map<String, String> values = new TreeMap<>();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            values.put(pair[0], pair[1]);
        }
        return new Assignment(
                Path.of(value(values, "directory")),
                value(values, "process"),
                value(values, "url"),
                Integer.parseInt(value(values, "register")),
                Long.parseLong(value(values, "seed")),
                FenceMode.valueOf(value(values, "fences")),
                Duration.ofMillis(Long.parseLong(value(values, "timeout"))),
                List.of(value(values, "workloads").split(",", -1)));
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("missing: " + name);
        }
        return value;
    }
}
