package dev.syncguard.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("settings")
class SettingsTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"PT0.009S", "PT0S", "PT-1S", "PT10M0.001S", "PT2562047788015215H"})
    @DisplayName("a command timeout out of range is refused")
    void refused(Duration timeout) {
        LockException failure = catchThrowableOfType(LockException.class, () -> Settings.commandTimeout(timeout));

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageContaining("commandTimeout");
    }

    @Test
    @DisplayName("the message names the range")
    void message() {
        assertThat(catchThrowableOfType(LockException.class, () -> Settings.commandTimeout(Duration.ZERO)))
                .hasMessageContaining("between 10 ms and 10 minutes");
    }

    @Test
    @DisplayName("a command timeout within the range is taken")
    void taken() {
        assertThat(Settings.commandTimeout(Duration.ofMillis(10))).hasMillis(10);
        assertThat(Settings.commandTimeout(Duration.ofMinutes(10))).hasMinutes(10);
    }
}
