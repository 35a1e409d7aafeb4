package dev.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirestoreBadInputTest {

    private static FirestoreLockBackendBuilder builder() {
        return FirestoreLockBackend.builder(TestServer.sharedClient());
    }

    private static void refused(ThrowingCallable call) {
        LockException failure = catchThrowableOfType(LockException.class, call);

        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "/", "a/b/c", ".", "..", "__x__", "____"})
    @DisplayName("a collection that is empty, a path or reserved is refused, for locks and for counters")
    void names(String name) {
        refused(() -> builder().collections(name, "fence_counters"));
        refused(() -> builder().collections("locks", name));
    }

    @Test
    @DisplayName("locks and counters need a collection each, with a name of at most 1500 bytes")
    void others() {
        refused(() -> builder().collections("locks", "locks"));
        refused(() -> builder().collections("x".repeat(1501), "fence_counters"));
        refused(() -> builder().collections(null, "fence_counters"));
        refused(() -> FirestoreLockBackend.builder((Firestore) null));
    }

    @Test
    @DisplayName("settings that are null are refused")
    void nulls() {
        refused(() -> builder().collections("locks", null));
        refused(() -> builder().fenceMode(null));
        refused(() -> builder().commandTimeout(null));
        refused(() -> builder().clockLimit(null));
    }

    @Test
    @DisplayName("time limits have bounds, and the one for the clock can only be lowered")
    void limits() {
        refused(() -> builder().commandTimeout(Duration.ofMillis(9)));
        refused(() -> builder().commandTimeout(Duration.ofMinutes(11)));
        refused(() -> builder().clockLimit(Duration.ofMillis(501)));
        refused(() -> builder().clockLimit(Duration.ZERO));
        assertThat(builder().clockLimit(Duration.ofMillis(100)).build()).isNotNull();
    }
}
