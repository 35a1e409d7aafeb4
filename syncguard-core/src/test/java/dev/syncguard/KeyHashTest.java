package dev.syncguard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyHashTest {

    private static final byte[] SECRET = "0123456789abcdef".getBytes(UTF_8);

    @Test
    @DisplayName("a keyed hash has the same shape, depends on the secret and ignores the normal form")
    void keyed() {
        KeyHash keyed = KeyHash.keyed(SECRET);

        assertThat(keyed.hash("invoice:42"))
                .matches("[0-9a-f]{24}")
                .isEqualTo(keyed.hash("invoice:42"))
                .isNotEqualTo(KeyHash.canonical().hash("invoice:42"))
                .isNotEqualTo(KeyHash.keyed("fedcba9876543210".getBytes(UTF_8)).hash("invoice:42"));
        assertThat(keyed.hash("cafe\u0301")).isEqualTo(keyed.hash("caf\u00e9"));
    }

    @Test
    @DisplayName("a known value, so that other languages can line up: HMAC-SHA-256 cut to 12 bytes")
    void known() throws Exception {
        javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA256");
        mac.init(new javax.crypto.spec.SecretKeySpec(SECRET, "HmacSHA256"));
        String full = java.util.HexFormat.of().formatHex(mac.doFinal("a".getBytes(UTF_8)));

        assertThat(KeyHash.keyed(SECRET).hash("a")).isEqualTo(full.substring(0, 24));
    }

    @Test
    void shortSecret() {
        assertThatThrownBy(() -> KeyHash.keyed(new byte[15])).isInstanceOf(LockException.class);
    }
}
