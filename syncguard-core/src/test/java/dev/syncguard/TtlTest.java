package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException.Code;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;

class TtlTest {

    static Stream<Duration> refused() {
        return Stream.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(1),
                Duration.ofNanos(1_500_000),
                Duration.ofMillis(1).plusNanos(1),
                Duration.ofDays(365).plusMillis(1),
                Duration.ofSeconds(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource
    @NullSource
    @DisplayName("refuses zero, negative, fractional, huge and overflowing times")
    void refused(Duration ttl) {
        assertThatThrownBy(() -> Ttl.of(ttl)).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(e.getMessage()).contains("1 ms to 365 days");
        });
    }

    @Test
    void accepted() {
        assertThat(Ttl.of(Duration.ofMillis(1)).millis()).isEqualTo(1);
        assertThat(Ttl.of(Duration.ofDays(365)).nanos())
                .isEqualTo(Duration.ofDays(365).toNanos());
        assertThat(Ttl.DEFAULT.millis()).isEqualTo(30_000);
    }
}
