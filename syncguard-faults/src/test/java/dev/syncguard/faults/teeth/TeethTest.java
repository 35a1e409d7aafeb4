package dev.syncguard.faults.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every seeded bug still fits the sources: one that does not would prove nothing. */
class TeethTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();

    @TempDir
    Path directory;

    @Test
    @DisplayName("every seeded bug changes its source, and compiles")
    void fits() {
        for (Tooth tooth : Teeth.all()) {
            if (!tooth.module().isEmpty()) {
                Mutant.build(HOME, tooth, directory.resolve(tooth.name()));
                assertThat(directory.resolve(tooth.name())).as(tooth.name()).isNotEmptyDirectory();
            }
        }
    }

    @Test
    @DisplayName("there are at least twenty, each with a name of its own and an invariant")
    void count() {
        Set<String> names = new HashSet<>();
        Teeth.all().forEach(tooth -> {
            assertThat(names.add(tooth.name())).as(tooth.name()).isTrue();
            assertThat(tooth.expected()).as(tooth.name()).isNotEmpty();
        });
        assertThat(names).hasSizeGreaterThanOrEqualTo(20);
    }
}
