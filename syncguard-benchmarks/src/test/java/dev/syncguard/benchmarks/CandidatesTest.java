package dev.syncguard.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.benchmarks.harness.Bed;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.Contestant;
import dev.syncguard.benchmarks.harness.Skill;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CandidatesTest {

    static Stream<Bed> beds() {
        return Stores.all().stream();
    }

    @ParameterizedTest
    @MethodSource("beds")
    @DisplayName("every candidate of every store does a cycle of each kind it can on a real server")
    void cycles(Bed bed) throws Exception {
        try (bed) {
            bed.start();
            for (Contestant contestant : bed.contestants()) {
                try (Candidate candidate = contestant.opening().open(2)) {
                    AtomicInteger held = new AtomicInteger();
                    candidate.locked("smoke", held::incrementAndGet);
                    candidate.locked("smoke", held::incrementAndGet);
                    assertThat(held).as(contestant.name()).hasValue(2);
                    if (contestant.skills().contains(Skill.ASYNC)) {
                        candidate.cycleAsync("smoke", 1).toCompletableFuture().get(20, TimeUnit.SECONDS);
                    }
                }
            }
        }
    }
}
