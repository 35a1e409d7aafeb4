package dev.syncguard.firestore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the layout of this module promises. */
@AnalyzeClasses(packages = "dev.syncguard.firestore", importOptions = DoNotIncludeTests.class)
class FirestoreArchitectureTest {

    /** The listener's callback takes one, and does not look at it. */
    @ArchTest
    static final ArchRule ONLY_ONE_CLASS_NAMES_EXCEPTIONS_OF_THE_CLIENT = noClasses()
            .that()
            .doNotHaveSimpleName("FirestoreErrors")
            .and()
            .doNotHaveSimpleName("LockListener")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("(com\\.google|io\\.grpc)\\..*Exception");

    @ArchTest
    static final ArchRule BACKENDS_USE_THE_SPI_ONLY =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.syncguard.internal..");
}
