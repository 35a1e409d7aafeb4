package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs the kit against backends that are broken in one way each: exactly the matching rules must fail. */
@Tag("once") // what it looks at does not depend on the JDK
class TckSelfTest {

    @Test
    @DisplayName("a sound backend fails no test and skips none")
    void sound() {
        EngineExecutionResults results = run(Broken.NOT);

        assertThat(failedRules(results)).isEmpty();
        results.testEvents()
                .assertStatistics(stats -> stats.failed(0).aborted(0).skipped(0));
        assertThat(results.testEvents().succeeded().count()).isGreaterThan(200);
    }

    static Stream<Broken> broken() {
        return Stream.<Supplier<Stream<Broken>>>of(
                        BrokenAcquires::all,
                        BrokenReleases::all,
                        BrokenExtends::all,
                        BrokenFences::all,
                        BrokenLabels::all,
                        BrokenQuestions::all,
                        BrokenCleanups::all,
                        BrokenManners::all,
                        BrokenSignals::all,
                        BrokenHandOvers::all)
                .flatMap(Supplier::get);
    }

    @ParameterizedTest
    @MethodSource("broken")
    @DisplayName("a broken backend fails the rules that it breaks, and no others")
    void broken(Broken broken) {
        EngineExecutionResults results = run(broken);

        assertThat(broken.rules()).isNotEmpty();
        assertThat(failedRules(results)).isEqualTo(broken.rules());
        results.containerEvents().assertStatistics(stats -> stats.failed(0));
    }

    private static EngineExecutionResults run(Broken broken) {
        SmallBackendTck.subject = broken;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(SmallBackendTck.class))
                .execute();
    }

    private static Set<String> failedRules(EngineExecutionResults results) {
        return results.testEvents().failed().stream()
                .map(Event::getTestDescriptor)
                .map(TckSelfTest::rule)
                .collect(Collectors.toSet());
    }

    private static String rule(TestDescriptor test) {
        return test.getSource()
                .map(org.junit.platform.engine.support.descriptor.MethodSource.class::cast)
                .map(source -> source.getJavaMethod().getAnnotation(Rule.class).value())
                .orElseThrow();
    }
}
