package dev.syncguard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "30s,PT30S", "30,PT30S", "5m,PT5M", "2h,PT2H", "1d,PT24H", "0s,PT0S"})
    void reads(String text, Duration expected) {
        assertThat(new Durations().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1.5s", "1 s", "1w", "9999999999999s", "٣s"})
    void refuses(String text) {
        assertThatThrownBy(() -> new Durations().convert(text)).isInstanceOf(TypeConversionException.class);
    }

    @ParameterizedTest
    @CsvSource({"0,0.0s", "59999,59.9s", "61000,1m 1s", "3661000,1h 1m", "90000000,1d 1h"})
    void writes(long millis, String expected) {
        assertThat(Durations.text(millis)).isEqualTo(expected);
    }
}
