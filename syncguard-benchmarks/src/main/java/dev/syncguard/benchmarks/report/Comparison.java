package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A figure in which another library is better.
 *
 * @param measured where
 * @param peer the other library
 * @param metric the figure
 * @param ours our median
 * @param theirs its median
 * @param worse by what factor ours is worse, round by round
 */
record Comparison(Measured measured, Series peer, Metric metric, double ours, double theirs, Spread worse) {

    /** Less than this is noise. */
    private static final double NOTICEABLE = 1.02;

    /** Returns them all, the worst first. */
    static List<Comparison> worseThanPeers(Results results) {
        List<Comparison> all = new ArrayList<>();
        for (Measured measured : results.measured()) {
            Optional<Series> ours = measured.find(Contestant.SYNCGUARD);
            if (ours.isPresent()) {
                measured.series().stream()
                        .filter(series -> series.role() == Role.PEER)
                        .forEach(peer -> all.addAll(compare(measured, ours.get(), peer)));
            }
        }
        return all.stream()
                .filter(one -> one.worse().median() > NOTICEABLE)
                .sorted(Comparator.comparingDouble(
                        (Comparison one) -> -one.worse().median()))
                .toList();
    }

    /** Whether it is behind in every round, and so not by chance. */
    boolean always() {
        return worse.min() > 1;
    }

    private static List<Comparison> compare(Measured measured, Series ours, Series peer) {
        List<Comparison> found = new ArrayList<>();
        ours.values().forEach((metric, values) -> {
            double[] others = peer.values().get(metric);
            if (others != null) {
                Spread ratio = Spread.ratio(values, others);
                found.add(new Comparison(
                        measured,
                        peer,
                        metric,
                        Spread.of(values).median(),
                        Spread.of(others).median(),
                        metric.higherIsBetter() ? ratio.inverse() : ratio));
            }
        });
        return found;
    }
}
