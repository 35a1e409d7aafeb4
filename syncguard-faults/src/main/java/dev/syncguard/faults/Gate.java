package dev.syncguard.faults;

import dev.syncguard.faults.checker.Coverage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long a run is, and what it must have seen to count: below that it is inconclusive, never green. */
public enum Gate {
    COMMIT(Duration.ofSeconds(40), 2, 100_000, 40_000, 300, 40, 8, 1),
    NIGHTLY(Duration.ofMinutes(60), 60, 5_000_000, 2_000_000, 20_000, 600, 8, 20),
    RELEASE(Duration.ofHours(4), 240, 20_000_000, 8_000_000, 80_000, 2_500, 8, 20);

    private final Duration length;
    private final int rounds;
    private final long redisOperations;
    private final long otherOperations;
    private final long handOvers;
    private final int faults;
    private final int kinds;
    private final int ofEachKind;

    Gate(
            Duration length,
            int rounds,
            long redisOperations,
            long otherOperations,
            long handOvers,
            int faults,
            int kinds,
            int ofEachKind) {
        this.length = length;
        this.rounds = rounds;
        this.redisOperations = redisOperations;
        this.otherOperations = otherOperations;
        this.handOvers = handOvers;
        this.faults = faults;
        this.kinds = kinds;
        this.ofEachKind = ofEachKind;
    }

    /** How long faults are inflicted, in all rounds together. */
    public Duration length() {
        return length;
    }

    /** In how many rounds. */
    public int rounds() {
        return rounds;
    }

    /** What a run has not seen enough of. */
    public List<String> missing(String store, Coverage coverage) {
        boolean isRedis = List.of("redis", "sentinel", "cluster").contains(store);
        List<String> missing = new ArrayList<>();
        need(missing, "operations", coverage.operations(), isRedis ? redisOperations : otherOperations);
        need(missing, "hand-overs by expiry", coverage.handOvers(), handOvers);
        need(missing, "faults", coverage.faultCount(), faults);
        need(missing, "kinds of faults", coverage.faults().size(), kinds);
        coverage.faults().forEach((kind, count) -> need(missing, "faults of kind " + kind, count, ofEachKind));
        return missing;
    }

    private static void need(List<String> missing, String what, long have, long wanted) {
        if (have < wanted) {
            missing.add(String.format(Locale.ROOT, "%s: %,d of %,d", what, have, wanted));
        }
    }
}
