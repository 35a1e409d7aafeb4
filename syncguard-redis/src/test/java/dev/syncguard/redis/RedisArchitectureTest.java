package dev.syncguard.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the layout of this module promises. */
@AnalyzeClasses(packages = "dev.syncguard.redis", importOptions = DoNotIncludeTests.class)
class RedisArchitectureTest {

    @ArchTest
    static final ArchRule ONLY_ONE_CLASS_NAMES_EXCEPTIONS_OF_THE_DRIVER = noClasses()
            .that()
            .doNotHaveSimpleName("RedisErrors")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("io\\.lettuce\\..*Exception");

    @ArchTest
    static final ArchRule BACKENDS_USE_THE_SPI_ONLY =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.syncguard.internal..");
}
