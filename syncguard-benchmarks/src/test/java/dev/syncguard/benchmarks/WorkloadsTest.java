package dev.syncguard.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadsTest {

    private static final Plan TINY = new Plan(0, 1, Duration.ofMillis(20), 5, 100, 1, List.of(1000, 2000));

    /** One waits for renewals, the other starts JVMs: too long for a test. */
    private static final Set<String> LONG = Set.of("extend storm", "cycles");

    static Stream<Bed> beds() {
        return Stores.all().stream();
    }

    @ParameterizedTest
    @MethodSource("beds")
    @DisplayName("every workload measures what it says, for every candidate it names")
    void series(Bed bed) throws Exception {
        try (bed) {
            bed.start();
            for (Workload workload : bed.workloads()) {
                if (!LONG.contains(workload.title())) {
                    List<Series> series = workload.run(bed, TINY, what -> {});
                    assertThat(series)
                            .as(workload.title())
                            .allSatisfy(one -> assertThat(one.values()).containsKey(workload.main()))
                            .extracting(Series::name)
                            .containsExactlyElementsOf(workload.series(bed, TINY));
                }
            }
        }
    }
}
