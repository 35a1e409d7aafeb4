package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.spi.LockIds;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockIdTest {

    @Test
    @DisplayName("100,000 ids drawn on many threads are distinct and well-formed, and none looks like an option (E14)")
    void distinct() {
        Set<LockId> drawn = ConcurrentHashMap.newKeySet();

        IntStream.range(0, 100_000).parallel().forEach(i -> drawn.add(LockIds.random()));

        assertThat(drawn).hasSize(100_000);
        assertThat(drawn).allSatisfy(id -> assertThat(id.value()).matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {"", "short", "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAé", "AAAAAAAAAAAAAAAAAAAAAAAA"})
    @DisplayName("a malformed id is refused without repeating it")
    void malformed(String text) {
        assertThatThrownBy(() -> LockId.parse(text)).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
            assertThat(e.getMessage()).contains("22");
            if (text != null && !text.isEmpty()) {
                assertThat(e.getMessage()).doesNotContain(text);
            }
        });
    }

    @Test
    @DisplayName("its text form does not give it away")
    void hidden() {
        LockId id = LockIds.random();

        assertThat(id.toString()).doesNotContain(id.value());
    }
}
