package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Metric;
import java.util.Optional;

/**
 * Something that shall hold: a figure, or its ratio to another one of the same run, against a bound.
 *
 * @param store where
 * @param figure what is judged
 * @param reference what it is divided by, if anything
 * @param atLeast whether the bound is a lower one
 * @param bound the bound
 */
public record Goal(String store, Figure figure, Optional<Figure> reference, boolean atLeast, double bound) {

    /**
     * Where a figure stands.
     *
     * @param workload the title
     * @param series the candidate
     * @param metric the figure
     */
    public record Figure(String workload, String series, Metric metric) {}

    /** How a goal ended. */
    public enum Verdict {
        MISSED,
        NOT_MEASURED,
        MET
    }

    /**
     * A goal with what was measured.
     *
     * @param goal the goal
     * @param spread the figure or ratio, round by round; absent if it was not measured
     */
    public record Outcome(Goal goal, Optional<Spread> spread) {

        /** The median decides. */
        public Verdict verdict() {
            return spread.map(found -> goal.holds(found.median()) ? Verdict.MET : Verdict.MISSED)
                    .orElse(Verdict.NOT_MEASURED);
        }
    }

    /** Judges. */
    public Outcome judge(Results results) {
        Optional<double[]> values = values(results, figure);
        if (reference.isEmpty()) {
            return new Outcome(this, values.map(Spread::of));
        }
        Optional<double[]> others = values(results, reference.get());
        return new Outcome(this, values.flatMap(found -> others.map(other -> Spread.ratio(found, other))));
    }

    private Optional<double[]> values(Results results, Figure wanted) {
        return results.find(store, wanted.workload())
                .flatMap(measured -> measured.find(wanted.series()))
                .map(series -> series.values().get(wanted.metric()));
    }

    private boolean holds(double value) {
        return atLeast ? value >= bound : value <= bound;
    }

    /** What shall hold, in words. */
    public String text() {
        String name = figure.workload() + ": " + figure.series() + ", "
                + figure.metric().title();
        String other = reference.map(this::other).orElse("");
        return name + (atLeast ? " ≥ " : " ≤ ") + Figures.number(bound) + other;
    }

    private String other(Figure base) {
        String where = base.workload().equals(figure.workload()) ? "" : " at " + base.workload();
        return " × " + base.series() + where;
    }
}
