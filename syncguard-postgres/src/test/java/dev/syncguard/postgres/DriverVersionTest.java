package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.Driver;

@DisplayName("the version of the driver")
class DriverVersionTest {

    @ParameterizedTest
    @CsvSource({"42, 3", "42, 7", "42, 10", "43, 0"})
    @DisplayName("is accepted from 42.3")
    void newEnoughIsAccepted(int major, int minor) {
        assertThatCode(() -> DriverVersion.check(major, minor)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"42, 2", "42, 0", "9, 4"})
    @DisplayName("is refused below, with the version that is needed")
    void tooOldIsRefused(int major, int minor) {
        LockException failure = catchThrowableOfType(LockException.class, () -> DriverVersion.check(major, minor));

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageContaining(major + "." + minor + " ").hasMessageContaining("42.3 or newer");
    }

    @Test
    @DisplayName("is checked when a backend is built, and the one of this run is accepted")
    void isCheckedWhenBuilt() {
        assertThatCode(() -> PostgresLockBackend.builder(TestDatabase.plain("jdbc:postgresql://127.0.0.1/none"))
                        .build()
                        .close())
                .doesNotThrowAnyException();
    }

    /** The properties are set by the build for the run with the oldest versions, and not in the run with the newest. */
    @Test
    @DisplayName("is the one that this run is meant for, and so is the pool's")
    void isTheOneUnderTest() throws IOException {
        assertThat(version(Driver.class)).startsWith(System.getProperty("pgjdbc.expected", "42."));
        assertThat(jar(HikariDataSource.class).getFileName().toString())
                .startsWith("HikariCP-" + System.getProperty("hikari.expected", ""));
    }

    private static String version(Class<?> type) throws IOException {
        try (JarFile jar = new JarFile(jar(type).toFile())) {
            return jar.getManifest().getMainAttributes().getValue("Implementation-Version");
        }
    }

    private static Path jar(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }
}
