package dev.syncguard.faults;

import dev.syncguard.faults.checker.Coverage;
import java.time.Duration;
import java.util.List;

/** How long a run is, and what it must have seen to count: below that it is inconclusive, never green. */
public enum Gate {
    /** Part of the build. */
    SHORT(Duration.ofSeconds(8), 1, 3),
    COMMIT(Duration.ofSeconds(40), 2, 4),
    NIGHTLY(Duration.ofMinutes(60), 60, 4),
    RELEASE(Duration.ofHours(4), 240, 4);

    private final Duration length;
    private final int rounds;
    private final int clients;

    Gate(Duration length, int rounds, int clients) {
        this.length = length;
        this.rounds = rounds;
        this.clients = clients;
    }

    /** How long faults are inflicted, in all rounds together. */
    public Duration length() {
        return length;
    }

    /** How long a run may take in all: six commit gates fit in ten minutes. */
    static Duration limit(Duration length) {
        return length.multipliedBy(3).dividedBy(2).plusSeconds(40);
    }

    /** In how many rounds; fewer of them if the run is shorter than the gate. */
    int rounds(Duration chosen) {
        return (int) Math.max(Math.min(2, rounds), rounds * chosen.toMillis() / length.toMillis());
    }

    /** How many client processes. */
    int clients() {
        return clients;
    }

    /** What it must have seen on a store: in shares of what Redis can do, see the README. */
    Goals goals(String store) {
        Goals redis = ofRedis();
        return switch (store) {
            case "redis", "cluster" -> redis;
            case "postgres", "sqlite" -> redis.share(0.4, 1);
            case "sentinel" -> redis.share(0.2, 0.5);
            default -> redis.share(0.1, 0.5);
        };
    }

    private Goals ofRedis() {
        return switch (this) {
            case SHORT -> new Goals(3_000, 15, 5, 4, 1);
            case COMMIT -> new Goals(100_000, 300, 40, 8, 1);
            case NIGHTLY -> new Goals(5_000_000, 20_000, 600, 8, 20);
            case RELEASE -> new Goals(20_000_000, 80_000, 2_500, 8, 20);
        };
    }

    /** What a run has not seen enough of. */
    public List<String> missing(String store, Coverage coverage) {
        return goals(store).missing(coverage);
    }
}
