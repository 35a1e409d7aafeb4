package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockOptionsTest {

    @Test
    @DisplayName("the defaults are those of the specification")
    void defaults() {
        LockOptions options = LockOptions.defaults();

        assertThat(options.ttl().millis()).isEqualTo(30_000);
        assertThat(options.isAutoExtend()).isFalse();
        assertThat(options.retryPolicy())
                .isEqualTo(new RetryPolicy(
                        Duration.ofSeconds(5),
                        10,
                        Duration.ofMillis(100),
                        Duration.ofSeconds(2),
                        Backoff.EXPONENTIAL,
                        Jitter.EQUAL,
                        false));
    }

    @Test
    @DisplayName("waitAtMost lifts the limit of retries unless maxRetries is set as well, in any order")
    void waitAtMost() {
        Duration minute = Duration.ofMinutes(1);
        LockOptions defaults = LockOptions.defaults();

        assertThat(defaults.waitAtMost(minute).retryPolicy().maxRetries()).isEqualTo(Integer.MAX_VALUE);
        assertThat(defaults.waitAtMost(minute).maxRetries(3).retryPolicy().maxRetries())
                .isEqualTo(3);
        assertThat(defaults.maxRetries(3).waitAtMost(minute).retryPolicy().maxRetries())
                .isEqualTo(3);
        assertThat(defaults.waitAtMost(minute).retryPolicy().timeout()).isEqualTo(minute);
    }

    @Test
    @DisplayName("options are never changed, only derived")
    void immutable() {
        LockOptions base = LockOptions.defaults();

        LockOptions derived = base.ttl(Duration.ofSeconds(1)).autoExtend().retryStoreErrors();

        assertThat(base.ttl().millis()).isEqualTo(30_000);
        assertThat(base.isAutoExtend()).isFalse();
        assertThat(derived.ttl().millis()).isEqualTo(1000);
        assertThat(derived.isAutoExtend()).isTrue();
        assertThat(derived.retryPolicy().retryStoreErrors()).isTrue();
    }

    @Test
    void badInput() {
        LockOptions options = LockOptions.defaults();

        assertThatThrownBy(() -> options.ttl(Duration.ZERO)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> options.waitAtMost(Duration.ofMillis(-1))).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> options.waitAtMost(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(LockException.class);
        assertThatThrownBy(() -> options.maxRetries(-1)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> options.retryDelay(Duration.ZERO)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> options.maxRetryDelay(Duration.ZERO)).isInstanceOf(LockException.class);
    }

    @Test
    @DisplayName("delays stay within their bounds for every backoff and jitter, at the edges and anywhere between")
    void delaysStayWithinTheirBounds() {
        for (Backoff backoff : Backoff.values()) {
            for (Jitter jitter : Jitter.values()) {
                for (int poll : List.of(0, 1, 4, 5, 39, 40, 41, 63, 64, 1_000_000)) {
                    assertDelay(backoff, jitter, poll, 0);
                    assertDelay(backoff, jitter, poll, Math.nextDown(1.0));
                }
                SeededRuns.repeat(
                        500,
                        random -> assertDelay(
                                backoff,
                                jitter,
                                random.nextInt(random.nextBoolean() ? 50 : 1_000_001),
                                random.nextDouble()));
            }
        }
    }

    private static void assertDelay(Backoff backoff, Jitter jitter, int poll, double random) {
        RetryPolicy policy =
                LockOptions.defaults().backoff(backoff).jitter(jitter).retryPolicy();

        long nanos = policy.delayNanos(poll, random);

        double full = backoff == Backoff.FIXED ? 100e6 : Math.min(2e9, 100e6 * Math.pow(2, Math.min(poll, 40)));
        double least = switch (jitter) {
            case NONE -> full;
            case EQUAL -> full / 2;
            case FULL -> 1e6;
        };
        assertThat((double) nanos)
                .as("%s, %s, poll %d, random %s", backoff, jitter, poll, random)
                .isBetween(least, full);
    }
}
