package dev.syncguard.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    @DisplayName("the median is the middle value, or lies between the two in the middle")
    void median() {
        assertThat(Spread.of(3, 1, 9)).isEqualTo(new Spread(3, 1, 9));
        assertThat(Spread.of(4, 1, 2, 9)).isEqualTo(new Spread(3, 1, 9));
        assertThat(Spread.of(5)).isEqualTo(new Spread(5, 5, 5));
    }

    @Test
    @DisplayName("a ratio is taken round by round, so a slow moment of the machine cancels out")
    void ratio() {
        double[] values = {100, 10, 200};
        double[] references = {50, 5, 100};

        assertThat(Spread.ratio(values, references)).isEqualTo(new Spread(2, 2, 2));
    }

    @Test
    @DisplayName("what was counted once is compared with the median of the other")
    void uneven() {
        assertThat(Spread.ratio(new double[] {6}, new double[] {1, 2, 9})).isEqualTo(new Spread(3, 3, 3));
    }

    @Test
    @DisplayName("the inverse turns the range round")
    void inverse() {
        assertThat(new Spread(0.5, 0.25, 1).inverse()).isEqualTo(new Spread(2, 1, 4));
    }
}
