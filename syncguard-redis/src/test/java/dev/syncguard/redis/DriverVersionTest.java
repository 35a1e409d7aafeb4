package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the version of the driver")
class DriverVersionTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {"6.5.0.RELEASE", "6.5.5.RELEASE/abc", "6.10.1", "7.0.0.BETA1", "7.7.0.RELEASE/1960d49", "?"})
    @DisplayName("is accepted from 6.5 to 7.x, or where it is not known")
    void accepted(String version) {
        assertThatCode(() -> DriverVersion.check(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.3.7.RELEASE", "6.4.2.RELEASE/abc", "6.0.0", "8.0.0.RELEASE"})
    @DisplayName("is refused otherwise, with the version that is needed")
    void refused(String version) {
        LockException failure = catchThrowableOfType(LockException.class, () -> DriverVersion.check(version));

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(failure).hasMessageContaining(version.replaceAll("/.*", "")).hasMessageContaining("6.5 to 7.x");
    }

    @Test
    @DisplayName("is named if a part of it is missing")
    void unfit() {
        LockException failure = DriverVersion.unfit(new NoClassDefFoundError("io/lettuce/core/Some"));

        assertThat(failure).hasMessageContaining("6.5 to 7.x").hasCauseInstanceOf(NoClassDefFoundError.class);
    }

    /** Set by the build for each run with another driver; not set in the run with the newest. */
    @Test
    @Tag("driver")
    @DisplayName("is the one that this run is meant for")
    void isTheOneUnderTest() {
        String expected = System.getProperty("lettuce.expected");
        if (expected != null) {
            assertThat(RedisClient.class.getPackage().getImplementationVersion())
                    .startsWith(expected);
        }
        assertThatCode(DriverVersion::check).doesNotThrowAnyException();
    }
}
