package dev.syncguard;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A result that may be a lease must not be dropped, in either view. A rule without methods to check fails. */
@AnalyzeClasses(packages = "dev.syncguard", importOptions = DoNotIncludeTests.class)
class CheckedResultsTest {

    @ArchTest
    static final ArchRule BLOCKING = resultsAreChecked(SyncGuard.class);

    @ArchTest
    static final ArchRule ASYNCHRONOUS = resultsAreChecked(AsyncSyncGuard.class);

    private static ArchRule resultsAreChecked(Class<?> view) {
        return methods()
                .that()
                .areDeclaredIn(view)
                .and()
                .arePublic()
                .and(describe("return a result that may be a lease", CheckedResultsTest::mayBeLease))
                .should()
                .beAnnotatedWith(CheckReturnValue.class);
    }

    private static boolean mayBeLease(JavaMethod method) {
        return method.getReturnType().getAllInvolvedRawTypes().stream()
                .anyMatch(type -> type.isEquivalentTo(AcquireResult.class));
    }
}
