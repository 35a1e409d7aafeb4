package dev.syncguard.benchmarks.report;

import java.util.Arrays;

/**
 * The rounds of one figure.
 *
 * @param median the middle one
 * @param min the lowest
 * @param max the highest
 */
public record Spread(double median, double min, double max) {

    /** Sums up values, at least one. */
    public static Spread of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * Divides round by round: what disturbed both sides of a round cancels out. Figures that do not have the same number
     * of rounds (one was counted once) are divided by the median of the other.
     */
    public static Spread ratio(double[] values, double[] references) {
        double[] ratios = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            ratios[i] = values[i]
                    / (values.length == references.length
                            ? references[i]
                            : of(references).median());
        }
        return of(ratios);
    }

    /** The same the other way round. */
    public Spread inverse() {
        return new Spread(1 / median, 1 / max, 1 / min);
    }
}
