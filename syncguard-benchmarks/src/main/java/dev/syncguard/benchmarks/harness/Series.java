package dev.syncguard.benchmarks.harness;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The figures of one candidate in one workload, a value for each round.
 *
 * @param name the candidate
 * @param role what it stands for
 * @param note what it does not do
 * @param values of each metric, in the order of the rounds
 */
public record Series(String name, Role role, String note, Map<Metric, double[]> values) {

    /** Puts rounds together; a metric that is missing in one of them is left out. */
    public static Series of(String name, Role role, String note, List<Sample> rounds) {
        Set<Metric> metrics = new TreeSet<>(rounds.get(0).values().keySet());
        rounds.forEach(round -> metrics.retainAll(round.values().keySet()));
        Map<Metric, double[]> values = new EnumMap<>(Metric.class);
        for (Metric metric : metrics) {
            values.put(
                    metric,
                    rounds.stream()
                            .mapToDouble(round -> round.values().getOrDefault(metric, Double.NaN))
                            .toArray());
        }
        return new Series(name, role, note, values);
    }

    /** Likewise, for a candidate. */
    public static Series of(Contestant contestant, List<Sample> rounds) {
        return of(contestant.name(), contestant.role(), contestant.note(), rounds);
    }
}
