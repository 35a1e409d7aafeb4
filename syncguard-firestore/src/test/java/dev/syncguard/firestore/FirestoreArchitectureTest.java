package dev.syncguard.firestore;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.core.domain.properties.HasParameterTypes.Predicates.rawParameterTypes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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

    /** These hold a monitor while they call back, which pins the carrier of a virtual thread that blocks in the client. */
    @ArchTest
    static final ArchRule NO_CALLBACK_UNDER_A_MONITOR = noClasses()
            .should()
            .callMethodWhere(
                    target(owner(assignableTo(ConcurrentHashMap.class))).and(target(nameMatching("compute.*|merge"))));

    /** An application may block all threads of the JVM's common pool, and our conflicts would not be repeated in time. */
    @ArchTest
    static final ArchRule NOTHING_ON_THE_COMMON_POOL = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(CompletionStage.class)))
                    .and(target(nameMatching(".*Async|delayedExecutor")))
                    .and(target(rawParameterTypes(describe(
                            "no executor",
                            types -> types.stream().noneMatch(type -> type.isEquivalentTo(Executor.class)))))));

    @ArchTest
    static final ArchRule BACKENDS_USE_THE_SPI_ONLY =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.syncguard.internal..");

    @Test
    @DisplayName("nothing here is synchronized: a call into Google's client that blocks must not pin a carrier thread")
    void noMonitors() throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(source -> source.toString().endsWith(".java")))
                    .isNotEmpty()
                    .allSatisfy(source -> assertThat(source).content().doesNotContainPattern("\\bsynchronized\\b"));
        }
    }
}
