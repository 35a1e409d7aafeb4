package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.spi.LockKey;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InterruptFlagTest {

    @Test
    @DisplayName("the flag is hidden from the call and set again after it")
    void hidden() {
        Thread.currentThread().interrupt();
        boolean seen = InterruptFlag.kept(() -> Thread.currentThread().isInterrupted());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(seen).isFalse();
        assertThat(InterruptFlag.kept(() -> Thread.currentThread().isInterrupted()))
                .isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Without the protection the client swallowed about one flag of a thousand. */
    @Test
    @DisplayName("hundreds of look-ups of an interrupted thread keep the flag")
    void manyTimes() {
        FirestoreLockBackend backend =
                FirestoreLockBackend.builder(TestServer.sharedClient()).build();
        int lost = 0;
        for (int i = 0; i < 300; i++) {
            Thread.currentThread().interrupt();
            backend.isLocked(LockKey.of("interrupted"), none());
            lost += Thread.interrupted() ? 0 : 1;
        }

        assertThat(lost).isZero();
    }
}
