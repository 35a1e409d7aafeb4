package dev.syncguard.fence.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.syncguard.fence.jdbc", importOptions = DoNotIncludeTests.class)
class JdbcFencesArchitectureTest {

    @ArchTest
    static final ArchRule NO_DRIVER_AND_NO_BACKEND = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.syncguard",
                    "dev.syncguard.fence",
                    "dev.syncguard.fence.jdbc",
                    "java..",
                    "org.jspecify.annotations");
}
