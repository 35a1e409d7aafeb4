package dev.syncguard.benchmarks.harness;

/** What is measured, in the order of the tables. */
public enum Metric {
    CYCLES("cycles/s", true),
    GRANTS("grants/s", true),
    P50("p50 µs", false),
    P99("p99 µs", false),
    MEAN("µs a cycle", false),
    COMMANDS("commands", false),
    CLIENT_CPU("client CPU µs", false),
    SERVER_CPU("server CPU µs", false),
    BYTES("bytes allocated", false),
    STORED("bytes stored", false),
    WAL("bytes of WAL", false),
    CORE_SHARE("% of a core", false),
    RENEWED_AFTER("renewed after s", false),
    EVENNESS("slowest/fastest", true);

    private final String title;
    private final boolean higherIsBetter;

    Metric(String title, boolean higherIsBetter) {
        this.title = title;
        this.higherIsBetter = higherIsBetter;
    }

    public String title() {
        return title;
    }

    public boolean higherIsBetter() {
        return higherIsBetter;
    }
}
