package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FenceTest {

    @Test
    @DisplayName("sorts as text in the same order as the numbers")
    void order() {
        List<Fence> fences = List.of(new Fence(2), new Fence(10), new Fence(9), Fence.WARN, Fence.MAX);

        assertThat(fences.stream().sorted().map(Fence::toString).toList()).isSorted();
        assertThat(new Fence(10).isNewerThan(new Fence(9))).isTrue();
        assertThat(new Fence(9).isNewerThan(new Fence(9))).isFalse();
    }

    @Test
    void thresholds() {
        assertThat(Fence.MAX).hasToString("900000000000000");
        assertThat(Fence.WARN).hasToString("090000000000000");
        assertThat(Fence.parse("000000000000042")).isEqualTo(new Fence(42));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "1",
                "00000000000001",
                "0000000000000001",
                "-00000000000001",
                "+00000000000001",
                " 00000000000001",
                "00000000000000x",
                "０００００００００００００００",
                "00000000000001\n"
            })
    @DisplayName("refuses any other form than 15 ASCII digits")
    void malformed(String text) {
        assertThatThrownBy(() -> Fence.parse(text)).isInstanceOf(LockException.class);
    }
}
