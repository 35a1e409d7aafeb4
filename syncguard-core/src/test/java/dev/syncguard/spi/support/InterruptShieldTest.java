package dev.syncguard.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the shield against interrupts")
class InterruptShieldTest {

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    @Test
    @DisplayName("hides the flag from a call and sets it again after it")
    void hidden() {
        Thread.currentThread().interrupt();
        boolean seen = InterruptShield.call(() -> Thread.currentThread().isInterrupted());

        assertThat(seen).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(InterruptShield.call(() -> Thread.currentThread().isInterrupted()))
                .isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("sets aside what comes meanwhile, however it comes")
    void meanwhile() {
        try (InterruptShield shield = new InterruptShield()) {
            assertThat(shield.interrupted()).isFalse();
            Thread.currentThread().interrupt();
            assertThat(shield.interrupted()).isTrue();
            assertThat(shield.interrupted()).isFalse();
        }
        assertThat(Thread.interrupted()).isTrue();
        try (InterruptShield shield = new InterruptShield()) {
            shield.caught();
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("waits on although interrupted, as long as there is time, and keeps the flag")
    void waits() throws Exception {
        CompletableFuture<String> late = new CompletableFuture<>();
        late.completeOnTimeout("value", 50, TimeUnit.MILLISECONDS);
        Thread.currentThread().interrupt();

        assertThat(InterruptShield.get(late, TimeUnit.SECONDS.toNanos(20))).isEqualTo("value");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThatThrownBy(() -> InterruptShield.get(new CompletableFuture<>(), 1000))
                .isInstanceOf(TimeoutException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
