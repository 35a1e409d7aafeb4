package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirestoreClockTest {

    private final FirestoreClock clock = new FirestoreClock(InstantSource.system(), FirestoreClock.WIDEST_LIMIT);

    @ParameterizedTest(name = "sent {0}, received {1}, the store says {2}: off by {3}")
    @CsvSource({
        "1000, 1000, 1000, 0",
        "1000, 3000, 1000, 0",
        "1000, 3000, 3000, 0",
        "1000, 3000, 999, 1",
        "1000, 3000, 3001, -1",
        "1000, 3000, 400, 600",
        "1000, 3000, 3600, -600"
    })
    @DisplayName("the time under way is not held against the clock")
    void ahead(long sent, long received, long store, long ahead) {
        assertThat(new Moment(sent, received, store).aheadMs()).isEqualTo(ahead);
    }

    @ParameterizedTest
    @CsvSource({"-500, behind", "500, ahead of", "-9000, behind", "9000, ahead of"})
    @DisplayName("a clock that is off by the limit or more is refused, and told how far")
    void refuses(long ahead, String direction) {
        assertThatThrownBy(() -> clock.checked(new Moment(10_000 + ahead, 10_000 + ahead, 10_000)))
                .isInstanceOf(LockException.class)
                .hasMessageStartingWith("ServiceUnavailable: ")
                .hasMessageContaining(Math.abs(ahead) + " ms or more " + direction);
    }

    @ParameterizedTest
    @CsvSource({"-499", "0", "499"})
    @DisplayName("a clock within the limit is accepted")
    void accepts(long ahead) {
        Moment moment = new Moment(10_000 + ahead, 10_000 + ahead, 10_000);

        assertThat(clock.checked(moment)).isSameAs(moment);
    }

    @Test
    @DisplayName("from 200 ms on a clock is warned of, once in a while")
    void warns() {
        Warnings warnings = Warnings.capture();

        clock.checked(new Moment(10_199, 10_199, 10_000));
        assertThat(warnings.containing("199 ms")).isEmpty();
        clock.checked(new Moment(10_271, 10_271, 10_000));
        clock.checked(new Moment(10_272, 10_272, 10_000));

        assertThat(warnings.containing("271 ms or more ahead of")).hasSize(1);
        assertThat(warnings.containing("272 ms")).isEmpty();
        warnings.close();
    }

    @Test
    @DisplayName("a lowered limit holds")
    void lowered() {
        FirestoreClock strict = new FirestoreClock(InstantSource.system(), Duration.ofMillis(50));

        assertThatThrownBy(() -> strict.checked(new Moment(60, 60, 0))).isInstanceOf(LockException.class);
    }
}
