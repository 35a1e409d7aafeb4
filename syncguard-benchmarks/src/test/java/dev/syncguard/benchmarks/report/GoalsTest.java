package dev.syncguard.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.benchmarks.StoreNames;
import dev.syncguard.benchmarks.report.Goal.Figure;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GoalsTest {

    @Test
    @DisplayName("every goal is about a workload and a candidate that exist: a renamed one would never be judged again")
    void exist() {
        List<String> known = StoreNames.figures();

        assertThat(Goals.all())
                .flatExtracting(goal -> Stream.concat(Stream.of(goal.figure()), goal.reference().stream())
                        .map(figure -> name(goal.store(), figure))
                        .toList())
                .isSubsetOf(known);
    }

    private static String name(String store, Figure figure) {
        return store + " / " + figure.workload() + " / " + figure.series();
    }
}
