package dev.syncguard;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@AnalyzeClasses(packages = "dev.syncguard", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule NOTHING_BUT_THE_JDK = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.syncguard..", "java..", "javax.crypto..", "org.jspecify.annotations");

    @ArchTest
    static final ArchRule THE_SPI_DOES_NOT_KNOW_THE_MACHINERY = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.spi")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.syncguard.internal", "dev.syncguard.memory", "dev.syncguard.telemetry");

    @ArchTest
    static final ArchRule SATELLITES_DO_NOT_KNOW_THE_MACHINERY = noClasses()
            .that()
            .resideInAnyPackage("dev.syncguard.memory", "dev.syncguard.telemetry")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.syncguard.internal");

    @ArchTest
    static final ArchRule SATELLITES_DO_NOT_KNOW_EACH_OTHER = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.telemetry")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.syncguard.memory");

    @ArchTest
    static final ArchRule FENCE_GUARDS_KNOW_VALUES_ONLY = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.fence")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.syncguard.spi..", "dev.syncguard.internal", "dev.syncguard.memory", "dev.syncguard.telemetry");

    @ArchTest
    static final ArchRule THE_MACHINERY_DOES_NOT_KNOW_SATELLITES = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.internal")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.syncguard.memory", "dev.syncguard.telemetry");

    /** The entry points: they put the rest together, and only the simulator beside them knows them. */
    private static final Set<String> FACADE = Set.of("SyncGuard", "AsyncSyncGuard", "SyncGuardBuilder");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    String name = topLevel(type);
                    boolean facade = FACADE.contains(name);
                    return SliceIdentifier.of(
                            type.getPackageName().equals("dev.syncguard") && facade ? "facade" : type.getPackageName());
                }

                @Override
                public String getDescription() {
                    return "packages, with the entry points as one of their own";
                }
            })
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule VALUES_KNOW_NEITHER_SPI_NOR_MACHINERY = noClasses()
            .that()
            .resideInAPackage("dev.syncguard")
            .and(describe("are not entry points", type -> !FACADE.contains(topLevel(type))))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.syncguard.spi..", "dev.syncguard.internal");

    /** An application passes a backend through, and never has to name one of these. */
    private static final DescribedPredicate<JavaClass> ONLY_FOR_BACKENDS = describe(
            "are for backends only",
            type -> type.getPackageName().startsWith("dev.syncguard.spi")
                    && !Set.of("LockBackend", "Timekeeper").contains(topLevel(type)));

    private static final DescribedPredicate<JavaClass> FOR_APPLICATIONS = describe(
            "are for applications",
            type -> type.getPackageName().equals("dev.syncguard")
                    || type.getSimpleName().endsWith("Builder"));

    @ArchTest
    static final ArchRule APPLICATIONS_NEED_NO_SPI_AS_ARGUMENT = noMethods()
            .that()
            .areDeclaredInClassesThat(FOR_APPLICATIONS)
            .should()
            .haveRawParameterTypes(anyElementThat(ONLY_FOR_BACKENDS))
            .andShould()
            .bePublic();

    @ArchTest
    static final ArchRule APPLICATIONS_GET_NO_SPI_AS_RESULT = methods()
            .that()
            .areDeclaredInClassesThat(FOR_APPLICATIONS)
            .and()
            .arePublic()
            .should()
            .notHaveRawReturnType(ONLY_FOR_BACKENDS);

    @ArchTest
    static final ArchRule MACHINERY_HAS_NO_CYCLES = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    return type.getPackageName().equals("dev.syncguard.internal")
                            ? SliceIdentifier.of(topLevel(type))
                            : SliceIdentifier.ignore();
                }

                @Override
                public String getDescription() {
                    return "classes of internal";
                }
            })
            .should()
            .beFreeOfCycles();

    private static String topLevel(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        String name = element.getName().substring(element.getName().lastIndexOf('.') + 1);
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    @ArchTest
    static final ArchRule NO_MONITORS = methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED);

    @Test
    void internalIsNotExported() throws IOException, URISyntaxException {
        Path classes = Path.of(SyncGuard.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (InputStream descriptor = Files.newInputStream(classes.resolve("module-info.class"))) {
            Set<String> exported = ModuleDescriptor.read(descriptor).exports().stream()
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet());

            assertThat(exported)
                    .containsExactlyInAnyOrder(
                            "dev.syncguard",
                            "dev.syncguard.fence",
                            "dev.syncguard.locks",
                            "dev.syncguard.spi",
                            "dev.syncguard.spi.support",
                            "dev.syncguard.memory",
                            "dev.syncguard.telemetry");
        }
    }
}
