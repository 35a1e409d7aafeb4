package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.syncguard.LockException.Code;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockKeyTest {

    @Test
    @DisplayName("refuses null, empty, too long, U+0000 and half surrogate pairs, and does not repeat the key")
    void refused() {
        assertRefused(null);
        assertRefused("");
        assertRefused("k".repeat(513));
        assertRefused("é".repeat(257));
        assertRefused("x".repeat(2049));
        assertRefused("a\u0000b");
        assertRefused("a\ud83d");
        assertRefused("\ude00a");
        assertRefused("\ude00\ud83d");
    }

    @Test
    @DisplayName("takes 512 bytes in any script, and what shrinks to that when normalised")
    void accepted() {
        assertThat(LockKey.of("k".repeat(512)).value()).hasSize(512);
        assertThat(LockKey.of("\ud83d\ude00".repeat(128)).value()).hasSize(256);
        assertThat(LockKey.of("e\u0301".repeat(256)).value()).isEqualTo("\u00e9".repeat(256));
    }

    @Test
    @DisplayName("a huge text is refused before it is normalised")
    void bomb() {
        String bomb = "\u0344".repeat(400_000);

        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
                java.time.Duration.ofSeconds(5), () -> assertRefused(bomb));
    }

    @Test
    @DisplayName("any text is either refused or a key that is normalised, fits, and survives UTF-8")
    void anyText() {
        SeededRuns.repeat(2000, random -> {
            String text = RandomText.ofLength(random, 1, 600);
            try {
                assertValid(LockKey.of(text), text);
            } catch (LockException e) {
                assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
            }
        });
    }

    private static void assertValid(LockKey key, String text) {
        byte[] bytes = key.value().getBytes(StandardCharsets.UTF_8);
        assertThat(key.value()).isEqualTo(Normalizer.normalize(text, Normalizer.Form.NFC));
        assertThat(bytes).hasSizeLessThanOrEqualTo(LockKey.MAX_BYTES);
        assertThat(new String(bytes, StandardCharsets.UTF_8))
                .as("survives UTF-8")
                .isEqualTo(key.value());
        assertThat(LockKey.of(key.value())).isEqualTo(key);
    }

    @Test
    @DisplayName("the length in UTF-8 is counted without encoding")
    void lengthsNeedNoEncoding() {
        SeededRuns.repeat(2000, random -> {
            String text = RandomText.ofLength(random, 0, 40);
            if (text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff)) {
                assertThat(LockKey.utf8Length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
            }
        });
    }

    private static void assertRefused(String key) {
        assertThatCode(() -> LockKey.of(key)).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
            if (key != null && key.length() > 3) {
                assertThat(e.getMessage()).doesNotContain(key);
            }
        });
    }
}
