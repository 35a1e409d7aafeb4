package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LogCapture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerClockWatchTest {

    private static final long START_MS = 1_750_000_000_000L;

    private final ServerClockWatch watch =
            new ServerClockWatch(new Reports(new SystemTimekeeper(), Runnable::run, Runnable::run, null));

    private void observe(long storeMs, long sentMs, long receivedMs) {
        watch.observe(
                START_MS + storeMs, TimeUnit.MILLISECONDS.toNanos(sentMs), TimeUnit.MILLISECONDS.toNanos(receivedMs));
    }

    @Test
    @DisplayName("T5: a clock of the store that jumps by more than half a second is warned of once")
    void jump() {
        try (LogCapture log = LogCapture.start()) {
            observe(0, 0, 10);
            observe(1_005, 1_000, 1_010);
            observe(5_005, 2_000, 2_010); // three seconds too far
            observe(6_005, 3_000, 3_010);

            assertThat(log.messages()).singleElement().asString().contains("the store's clock jumped by about 29");
        }
    }

    @Test
    @DisplayName("T5: slow replies and clocks that drift apart in days are no jump")
    void drift() {
        try (LogCapture log = LogCapture.start()) {
            for (int minute = 0; minute < 60 * 24; minute++) {
                long now = minute * 60_000L;
                observe(now + minute, now, now + 20); // a millisecond a minute
            }
            observe(60 * 24 * 60_000L + 1_440 + 2_000, 60 * 24 * 60_000L, 60 * 24 * 60_000L + 4_000);

            assertThat(log.messages()).isEmpty();
        }
    }
}
