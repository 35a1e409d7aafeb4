package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Meter;
import dev.syncguard.testbed.RedisServer;

/** What the server tells of itself. */
record RedisMeter(RedisServer server) implements Meter {

    @Override
    public double cpuMicros() {
        String info = server.command("INFO", "cpu");
        return (number(info, "used_cpu_user") + number(info, "used_cpu_sys")) * 1e6;
    }

    @Override
    public double commands(Action action) throws Exception {
        try (CommandCount count = new CommandCount(server)) {
            action.run();
            return count.result();
        }
    }

    static String field(RedisServer server, String section, String name) {
        return text(server.command("INFO", section), name);
    }

    private static double number(String info, String name) {
        return Double.parseDouble(text(info, name));
    }

    private static String text(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }
}
