package dev.syncguard.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Plan;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.harness.Skill;
import dev.syncguard.benchmarks.harness.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BedsTest {

    private static final Plan TINY = new Plan(0, 1, Duration.ofMillis(20), 5, 100, 1, List.of(1000, 2000));

    /** Waits for renewals; start JVMs; the same as others with more threads and connections. */
    private static final Set<String> LONG = Set.of(
            "extend storm",
            "cycles",
            "8 processes on one file",
            "uncontended, 8 threads",
            "uncontended, 64 threads",
            "hand-over, 8 clients");

    static Stream<Bed> beds() {
        return Stores.all().stream();
    }

    @ParameterizedTest
    @MethodSource("beds")
    @DisplayName("on a real server, every candidate does a cycle and every workload measures what it says")
    void everything(Bed bed) throws Exception {
        try (bed) {
            bed.start();
            for (Contestant contestant : bed.contestants()) {
                cycle(contestant);
            }
            for (Workload workload : bed.workloads()) {
                if (!LONG.contains(workload.title())) {
                    measure(bed, workload);
                }
            }
        }
    }

    private static void cycle(Contestant contestant) throws Exception {
        try (Candidate candidate = contestant.opening().open(3)) {
            AtomicInteger held = new AtomicInteger();
            candidate.locked("smoke", held::incrementAndGet);
            candidate.locked("smoke", held::incrementAndGet);
            assertThat(held).as(contestant.name()).hasValue(2);
            if (contestant.skills().contains(Skill.ASYNC)) {
                candidate.cycleAsync("smoke", 1).toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static void measure(Bed bed, Workload workload) throws Exception {
        List<Series> series = workload.run(bed, TINY, what -> {});

        assertThat(series)
                .as(workload.title())
                .allSatisfy(one -> assertThat(one.values()).containsKey(workload.main()))
                .extracting(Series::name)
                .containsExactlyElementsOf(workload.series(bed, TINY));
        if (workload.title().equals("uncontended, 1 thread")) {
            int each = bed.store().equals("firestore") ? 2 : 1; // a read, and a commit on condition
            assertThat(series)
                    .filteredOn(one -> one.name().equals(Contestant.SYNCGUARD))
                    .filteredOn(one -> one.values().containsKey(Metric.COMMANDS))
                    .as("what an acquire and a release cost; a pool may look after a connection once")
                    .allSatisfy(one -> assertThat(one.values().get(Metric.COMMANDS)[0] / each)
                            .isBetween(2.0, 2.1));
        }
    }
}
