package dev.syncguard.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteJDBCLoader;

/** Which drivers are supported. */
class SqliteDriverTest {

    private static final String OLDEST = "syncguard.test.oldestDriver";

    @ParameterizedTest
    @ValueSource(strings = {"3.46.1.2", "3.46.1", "3.46.0.1", "3.9.99.9", "3.7.2", "2.99.0.0"})
    @DisplayName("an older driver is refused with the version that is needed")
    void tooOld(String version) {
        assertThatThrownBy(() -> SqliteDriver.requireSupported(version))
                .isInstanceOfSatisfying(LockException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
                    assertThat(failure).hasMessageContaining(version).hasMessageContaining(SqliteDriver.OLDEST);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.46.1.3", "3.46.2.0", "3.100.0.0", "4.0.0.0", "4", "unknown", "3.50.0.0-SNAPSHOT"})
    @DisplayName("a newer one is taken, and one that does not know its version")
    void supported(String version) {
        assertThatCode(() -> SqliteDriver.requireSupported(version)).doesNotThrowAnyException();
    }

    @Test
    @EnabledIfSystemProperty(named = OLDEST, matches = ".+")
    @DisplayName("the second run of the build is on the oldest driver")
    void oldest() {
        assertThat(SQLiteJDBCLoader.getVersion()).isEqualTo(SqliteDriver.OLDEST).isEqualTo(System.getProperty(OLDEST));
    }
}
