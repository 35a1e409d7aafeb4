package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs the contract of guards on guards with one mistake each: the matching rules must fail, and no others. */
@Tag("once") // what it looks at does not depend on the JDK
class FenceGuardTckSelfTest {

    @ParameterizedTest
    @EnumSource
    @DisplayName("the rules of a mistake fail, and no others")
    void findsTheMistake(GuardMistake mistake) {
        BrokenGuardTck.subject = mistake;

        Set<String> failed = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(BrokenGuardTck.class))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .map(event ->
                        (MethodSource) event.getTestDescriptor().getSource().orElseThrow())
                .map(source -> source.getJavaMethod().getAnnotation(Rule.class).value())
                .collect(Collectors.toSet());

        assertThat(failed)
                .isEqualTo(Arrays.stream(mistake.rules.split(" "))
                        .filter(rule -> !rule.isEmpty())
                        .collect(Collectors.toSet()));
    }
}
