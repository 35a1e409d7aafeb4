package dev.syncguard.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.syncguard.spring", importOptions = DoNotIncludeTests.class)
class SpringArchitectureTest {

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("dev.syncguard.spring.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule annotationsKnowNothingElse = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.spring")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.syncguard.spring.aop..", "dev.syncguard.spring.boot..", "dev.syncguard.spring.test..");

    @ArchTest
    static final ArchRule locksAroundMethodsKnowNoStore = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.spring.aop")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.syncguard.spring.boot..",
                    "dev.syncguard.spi..",
                    "dev.syncguard.redis..",
                    "dev.syncguard.postgres..",
                    "dev.syncguard.firestore..");
}
