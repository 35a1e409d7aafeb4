package dev.syncguard.tck;

import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.metaAnnotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.DisplayName;
import org.junit.platform.commons.annotation.Testable;

/** Every test of the TCK names its rule and says in a sentence what it holds. */
@AnalyzeClasses(packages = "dev.syncguard.tck", importOptions = ImportOption.DoNotIncludeTests.class)
class TckArchitectureTest {

    @ArchTest
    static final ArchRule EVERY_TEST_HAS_A_RULE =
            methods().that(metaAnnotatedWith(Testable.class)).should().beAnnotatedWith(Rule.class);

    @ArchTest
    static final ArchRule EVERY_TEST_HAS_A_TITLE =
            methods().that(metaAnnotatedWith(Testable.class)).should().beAnnotatedWith(DisplayName.class);

    @ArchTest
    static final ArchRule A_RULE_STANDS_ON_TESTS_ONLY =
            methods().that().areAnnotatedWith(Rule.class).should().beMetaAnnotatedWith(Testable.class);
}
