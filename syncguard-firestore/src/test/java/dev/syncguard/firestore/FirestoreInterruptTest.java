package dev.syncguard.firestore;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirestoreInterruptTest {

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
