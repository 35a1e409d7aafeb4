package dev.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LivenessTest {

    @Test
    @DisplayName("contenders give a lock 1000 ms more than its owner does")
    void tolerance() {
        assertThat(Liveness.TIME_TOLERANCE_MS).isEqualTo(1000);
        assertThat(Liveness.isLive(5000, 5999)).isTrue();
        assertThat(Liveness.isLive(5000, 6000)).isFalse();
        assertThat(Liveness.isStrictlyLive(5000, 4999)).isTrue();
        assertThat(Liveness.isStrictlyLive(5000, 5000)).isFalse();
    }

    @Test
    @DisplayName("a refusal tells the first moment at which the lock is not live any more")
    void grantable() {
        assertThat(Liveness.grantableInMs(5000, 4000)).isEqualTo(2000);
        assertThat(Liveness.isLive(5000, 4000 + 1999)).isTrue();
        assertThat(Liveness.isLive(5000, 4000 + 2000)).isFalse();
        assertThat(Liveness.grantableInMs(5000, 9000)).isZero();
    }
}
