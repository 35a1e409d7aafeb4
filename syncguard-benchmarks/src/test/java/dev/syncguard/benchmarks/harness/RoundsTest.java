package dev.syncguard.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    @DisplayName("everybody takes one turn in each round, and warm-ups do not count")
    void rounds() throws Exception {
        Map<Contestant, String> subjects = new LinkedHashMap<>();
        List.of("a", "b", "c").forEach(name -> subjects.put(Contestant.ours(name, ""), name));
        List<String> turns = new ArrayList<>();

        List<Series> series = Rounds.interleaved(subjects, Plan.full().rounds(2, 5), what -> {}, name -> {
            turns.add(name);
            return new Sample().with(Metric.CYCLES, turns.size());
        });

        assertThat(turns).hasSize(3 * 7);
        for (int round = 0; round < 7; round++) {
            assertThat(turns.subList(3 * round, 3 * round + 3)).containsExactlyInAnyOrder("a", "b", "c");
        }
        assertThat(series).extracting(Series::name).containsExactly("a", "b", "c");
        for (Series one : series) {
            double[] counted = one.values().getOrDefault(Metric.CYCLES, new double[0]);
            assertThat(counted).hasSize(5);
            assertThat(counted[0]).as("the first six turns were warm-ups").isGreaterThan(6);
        }
    }

    @Test
    @DisplayName("a figure that is missing in one round is left out")
    void missing() {
        Sample whole = new Sample().with(Metric.CYCLES, 1).with(Metric.SERVER_CPU, 2);
        Sample part = new Sample().with(Metric.CYCLES, 3).with(Metric.SERVER_CPU, Double.NaN);

        Series series = Series.of(Contestant.ours("a", ""), List.of(whole, part));

        assertThat(series.values()).containsOnlyKeys(Metric.CYCLES);
        assertThat(series.values().get(Metric.CYCLES)).containsExactly(1, 3);
    }
}
