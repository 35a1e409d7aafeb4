package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SeededRunsTest {

    private String given;

    @BeforeEach
    void unset() {
        given = System.clearProperty(SeededRuns.SEED);
    }

    @AfterEach
    void restore() {
        System.clearProperty(SeededRuns.SEED);
        if (given != null) {
            System.setProperty(SeededRuns.SEED, given);
        }
    }

    @Test
    @DisplayName("each run has a seed of its own")
    void runsDiffer() {
        List<Long> drawn = new ArrayList<>();

        SeededRuns.repeat(20, random -> drawn.add(random.nextLong()));

        assertThat(drawn).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("a failure names its seed, and the property repeats exactly that case")
    void failureIsRepeatable() {
        List<Long> failed = new ArrayList<>();
        assertThatThrownBy(() -> SeededRuns.repeat(5, random -> {
                    failed.add(random.nextLong());
                    throw new IllegalStateException("on purpose");
                }))
                .isInstanceOf(AssertionError.class)
                .hasRootCauseMessage("on purpose")
                .satisfies(failure ->
                        System.setProperty(SeededRuns.SEED, failure.getMessage().replaceAll(".*=", "")));

        List<Long> repeated = new ArrayList<>();
        SeededRuns.repeat(5, random -> repeated.add(random.nextLong()));

        assertThat(repeated).isEqualTo(failed);
    }

    @Test
    @DisplayName("random texts keep their bounds, and hold halves of pairs, U+0000 and supplementary characters")
    void texts() {
        StringBuilder all = new StringBuilder();
        for (int seed = 0; seed < 2000; seed++) {
            String text = RandomText.ofLength(new Random(seed), 1, 60);
            assertThat(text).hasSizeBetween(1, 60);
            all.append(text).append(' ');
        }
        assertThat(all.codePoints()).anyMatch(c -> c > 0xffff).anyMatch(c -> c == 0);
        assertThat(all.codePoints()).anyMatch(c -> c >= 0xd800 && c <= 0xdfff);
    }
}
