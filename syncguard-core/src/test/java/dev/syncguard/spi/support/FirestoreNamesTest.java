package dev.syncguard.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockKey;
import dev.syncguard.spi.StorageKeys;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirestoreNamesTest {

    @Test
    @DisplayName("a key that is legal as a document id is its own id")
    void plain() {
        LockKey key = LockKey.of("invoice:42");

        assertThat(FirestoreNames.lock(key)).isEqualTo("invoice:42");
        assertThat(FirestoreNames.fence(key)).isEqualTo("fence:invoice:42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a/b/c", "/", ".", "..", "__x__", "____"})
    @DisplayName("a key that is illegal as a document id uses the hashed form, its counter too")
    void hashed(String illegal) {
        LockKey key = LockKey.of(illegal);

        assertThat(FirestoreNames.lock(key))
                .isEqualTo(StorageKeys.hash(illegal))
                .matches("[A-Za-z0-9_-]{22}");
        assertThat(FirestoreNames.fence(key)).isEqualTo("fence:" + StorageKeys.hash(illegal));
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", "a.", "__", "___", "_x_", "__x", "x__", "a\\b", "a b", "é"})
    @DisplayName("what only looks like it is legal")
    void lookalikes(String legal) {
        assertThat(FirestoreNames.lock(LockKey.of(legal))).isEqualTo(legal);
    }

    @Test
    @DisplayName("a segment has 1 to 1500 bytes")
    void lengths() {
        assertThat(FirestoreNames.isLegal("")).isFalse();
        assertThat(FirestoreNames.isLegal("é".repeat(750))).isTrue();
        assertThat(FirestoreNames.isLegal("é".repeat(750) + "a")).isFalse();
    }
}
