package dev.syncguard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
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
    static final ArchRule THE_MACHINERY_DOES_NOT_KNOW_SATELLITES = noClasses()
            .that()
            .resideInAPackage("dev.syncguard.internal")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.syncguard.memory", "dev.syncguard.telemetry");

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
                            "dev.syncguard", "dev.syncguard.spi", "dev.syncguard.memory", "dev.syncguard.telemetry");
        }
    }
}
