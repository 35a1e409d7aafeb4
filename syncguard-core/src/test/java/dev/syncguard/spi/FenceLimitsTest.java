package dev.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockKey;
import dev.syncguard.LogCapture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceLimitsTest {

    @Test
    void counts() {
        assertThat(FenceLimits.next(0)).hasToString("000000000000001");
        assertThat(FenceLimits.next(Fence.MAX.value() - 1)).isEqualTo(Fence.MAX);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 900_000_000_000_000L, 900_000_000_000_001L, Long.MAX_VALUE, Long.MIN_VALUE})
    @DisplayName("a damaged or used-up counter fails, it never starts again")
    void refused(long counter) {
        assertThatThrownBy(() -> FenceLimits.next(counter))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockException.Code.INTERNAL));
    }

    @Test
    @DisplayName("warns above WARN, by the hash of the key")
    void warns() {
        LockKey key = LockKey.of("secret-key");
        try (LogCapture log = LogCapture.start()) {
            FenceLimits.warnIfHigh(key, Fence.WARN);
            assertThat(log.messages()).isEmpty();

            FenceLimits.warnIfHigh(key, new Fence(Fence.WARN.value() + 1));
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains(key.hash())
                    .doesNotContain("secret-key");
        }
    }
}
