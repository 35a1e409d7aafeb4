package dev.syncguard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The models hold, and have teeth. */
@DisplayName("The models of docs/model")
class ModelTest {

    static final List<String> SMALL = List.of(
            "Lease",
            "Lease-client-clocks",
            "Lifecycle",
            "Lifecycle-ends",
            "Lifecycle-waiting",
            "FenceGuard",
            "FenceGuard-lost-counter",
            "HandOver",
            "HandOver-waiting");
    static final List<Mutation> MUTATIONS = Mutation.ALL;

    private static final int LIMIT_MINUTES = 10;

    /** Two at a time, begun together: one run of TLC does not keep two cores busy. */
    private static final ExecutorService RUNS = Executors.newFixedThreadPool(2);

    private static final Map<Object, Future<Verdict>> VERDICTS = new ConcurrentHashMap<>();

    @BeforeAll
    static void begin() {
        SMALL.forEach(name -> begin(name, Configuration.named(name)));
        MUTATIONS.forEach(mutation -> begin(mutation, mutation.mutated()));
    }

    private static void begin(Object what, Configuration configuration) {
        VERDICTS.put(what, RUNS.submit(() -> Tlc.check(configuration, 1, LIMIT_MINUTES)));
    }

    @AfterAll
    static void end() {
        RUNS.shutdownNow();
    }

    @ParameterizedTest
    @FieldSource("SMALL")
    @DisplayName("keep their promises in every state that can be reached")
    void modelHolds(String name) throws Exception {
        Verdict verdict = VERDICTS.get(name).get();

        report(name, verdict);
        assertThat(verdict.holds()).as(verdict.output()).isTrue();
        assertThat(verdict.distinct()).isGreaterThan(100);
    }

    @ParameterizedTest
    @FieldSource("MUTATIONS")
    @DisplayName("are refuted when a rule is broken")
    void brokenRuleIsRefuted(Mutation mutation) throws Exception {
        Verdict verdict = VERDICTS.get(mutation).get();

        report(mutation, verdict);
        String expected = mutation.refutes().kind() == Mutation.Kind.LIVENESS
                ? "Temporal"
                : mutation.refutes().name();
        assertThat(verdict.holds()).isFalse();
        assertThat(verdict.violated()).as(verdict.output()).contains(expected);
        assertThat(verdict.trace()).hasSizeGreaterThan(2);
    }

    @Test
    @DisplayName("have no mutation that is not in the list of those that are refuted")
    void everyMutationIsChecked() {
        List<String> unchecked = new ArrayList<>();
        for (String module : List.of("Lease", "Lifecycle", "FenceGuard", "HandOver")) {
            String text = Configuration.read(Configuration.MODELS.resolve(module + ".tla"));
            Pattern.compile("Mutated\\(\"([^\"]+)\"\\)")
                    .matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> MUTATIONS.stream()
                            .noneMatch(known -> known.configuration().startsWith(module)
                                    && known.name().equals(name)))
                    .forEach(name -> unchecked.add(module + ": " + name));
        }

        assertThat(unchecked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Lease-large",
                "Lease-three-large",
                "Lease-client-clocks-large",
                "Lifecycle-large",
                "FenceGuard-large",
                "HandOver-large"
            })
    @EnabledIfSystemProperty(named = "syncguard.model", matches = "large")
    @DisplayName("keep their promises in larger configurations")
    void largeModelHolds(String name) throws Exception {
        Verdict verdict = Tlc.check(Configuration.named(name), 2, 180);

        report(name, verdict);
        assertThat(verdict.holds()).as(verdict.output()).isTrue();
    }

    private static void report(Object what, Verdict verdict) {
        System.out.printf(
                "%-60s %,12d states %,10d distinct, depth %3d, %6.1f s%n",
                what, verdict.generated(), verdict.distinct(), verdict.depth(), verdict.seconds());
    }
}
