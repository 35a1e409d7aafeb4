package dev.syncguard.faults.recovery;

import java.util.List;
import java.util.Locale;

/**
 * A figure with its goal.
 *
 * @param what was measured
 * @param figure what came of it
 * @param goal what is wanted
 * @param reached whether it is reached
 */
public record Outcome(String what, String figure, String goal, boolean reached) {

    /** Times until the first grant, of which the 99th percentile counts. */
    static Outcome times(String what, List<Long> nanos, long goalMillis) {
        List<Long> sorted = nanos.stream().sorted().toList();
        long p99 = at(sorted, 0.99) / 1_000_000;
        String figure = String.format(
                Locale.ROOT,
                "median %,d ms, p99 %,d ms, longest %,d ms, of %d",
                at(sorted, 0.5) / 1_000_000,
                p99,
                at(sorted, 1) / 1_000_000,
                sorted.size());
        return new Outcome(
                what, figure, String.format(Locale.ROOT, "p99 at most %,d ms", goalMillis), p99 <= goalMillis);
    }

    private static long at(List<Long> sorted, double share) {
        return sorted.get((int) Math.max(0, Math.ceil(share * sorted.size()) - 1));
    }

    /** A row of a table. */
    public String row() {
        return "| " + what + " | " + figure + " | " + goal + " | " + (reached ? "yes" : "**no**") + " |";
    }
}
