package dev.syncguard.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which failures {@code run --once-per} tries again after. */
class StorePatienceTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private static LockException failure(boolean outcomeUnknown) {
        return new LockException(Code.NETWORK_TIMEOUT, "no answer", null, outcomeUnknown);
    }

    @Test
    @DisplayName(
            "an attempt that may have been granted is not repeated: its own lock would look like another machine's")
    void unknownOutcome() {
        Patience once = Patience.withStore(LONG, false, AbortSignal.none());
        assertThat(once.outlasts(failure(false))).isTrue();
        assertThat(once.outlasts(failure(true))).isFalse();
        assertThat(new Patience(LONG, false, AbortSignal.none()).outlasts(failure(true)))
                .as("who waits for the holder may wait for his own lock to be released")
                .isTrue();
    }

    @Test
    @DisplayName("--fail-fast and a time that is over end it")
    void over() {
        assertThat(Patience.withStore(LONG, true, AbortSignal.none()).outlasts(failure(false)))
                .isFalse();
        assertThat(Patience.withStore(Duration.ZERO, false, AbortSignal.none()).outlasts(failure(false)))
                .isFalse();
    }
}
