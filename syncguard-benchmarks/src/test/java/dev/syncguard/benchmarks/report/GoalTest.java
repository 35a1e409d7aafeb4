package dev.syncguard.benchmarks.report;

import static dev.syncguard.benchmarks.report.Sampled.results;
import static dev.syncguard.benchmarks.report.Sampled.series;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Role;
import dev.syncguard.benchmarks.report.Goal.Figure;
import dev.syncguard.benchmarks.report.Goal.Outcome;
import dev.syncguard.benchmarks.report.Goal.Verdict;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GoalTest {

    private static final Results RESULTS = results(
            "redis",
            "cycles",
            Metric.CYCLES,
            series("syncguard", Role.OURS, Metric.CYCLES, 90, 180, 300),
            series("peer", Role.PEER, Metric.CYCLES, 100, 100, 100));

    private static Outcome judged(String reference, boolean atLeast, double bound) {
        Figure figure = new Figure("cycles", "syncguard", Metric.CYCLES);
        Optional<Figure> other =
                reference.isEmpty() ? Optional.empty() : Optional.of(new Figure("cycles", reference, Metric.CYCLES));
        return new Goal("redis", figure, other, atLeast, bound).judge(RESULTS);
    }

    @Test
    @DisplayName("the median of the ratios decides, at the bound in our favour")
    void ratio() {
        assertThat(judged("peer", true, 1.8).verdict()).isEqualTo(Verdict.MET);
        assertThat(judged("peer", true, 1.81).verdict()).isEqualTo(Verdict.MISSED);
        assertThat(judged("peer", true, 1).spread()).contains(new Spread(1.8, 0.9, 3));
    }

    @Test
    @DisplayName("a goal without a reference is about the figure itself")
    void absolute() {
        assertThat(judged("", false, 180).verdict()).isEqualTo(Verdict.MET);
        assertThat(judged("", false, 179).verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    @DisplayName("what was not measured is neither met nor missed")
    void notMeasured() {
        assertThat(judged("nobody", true, 1).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        Figure figure = new Figure("other workload", "syncguard", Metric.CYCLES);
        Goal goal = new Goal("redis", figure, Optional.empty(), true, 1);
        assertThat(goal.judge(RESULTS).verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    @DisplayName("a goal says what it wants")
    void text() {
        assertThat(judged("peer", true, 1.9).goal().text()).isEqualTo("cycles: syncguard, cycles/s ≥ 1.90 × peer");
    }
}
