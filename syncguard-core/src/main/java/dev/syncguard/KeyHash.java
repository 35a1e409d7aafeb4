package dev.syncguard;

import dev.syncguard.LockException.Code;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.Normalizer;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns keys and lock ids into the 24 hexadecimal characters that logs, telemetry and {@link LockInfo} show.
 *
 * <p>The {@linkplain #canonical() canonical} hash is the same in every language, so that telemetry of different services
 * lines up; it hides identifiers from a casual reader only, since short keys can be computed back. Where keys hold
 * personal data, use a {@linkplain #keyed(byte[]) keyed} one.
 */
@FunctionalInterface
public interface KeyHash {

    /**
     * Hashes an identifier.
     *
     * @param text a key or a lock id
     * @return 24 lower-case hexadecimal characters
     */
    String hash(String text);

    /**
     * Returns the hash of the specification.
     *
     * @return the default
     */
    static KeyHash canonical() {
        return KeyHash::canonicalHash;
    }

    /**
     * Returns a hash that cannot be computed or reversed without the secret (HMAC-SHA-256, cut to 96 bits).
     *
     * @param secret at least 16 bytes, the same in every process whose telemetry shall line up
     * @return a keyed hash
     */
    static KeyHash keyed(byte[] secret) {
        if (secret == null || secret.length < 16) {
            throw new LockException(Code.INVALID_ARGUMENT, "the secret of a keyed hash has at least 16 bytes");
        }
        SecretKeySpec key = new SecretKeySpec(secret, "HmacSHA256");
        return text -> hmac(key, text);
    }

    private static String canonicalHash(String text) {
        String normalized = Normalizer.normalize(text, Normalizer.Form.NFC);
        int h1 = 0;
        int h2 = 0;
        int h3 = 0;
        for (int i = 0; i < normalized.length(); i++) {
            int c = normalized.charAt(i);
            h1 = h1 * 31 + c;
            h2 = h2 * 127 + c * 3;
            h3 = h3 * 2047 + c * 7;
        }
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(h1) + hex.toHexDigits(h2) + hex.toHexDigits(h3);
    }

    private static String hmac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            String normalized = Normalizer.normalize(text, Normalizer.Form.NFC);
            byte[] digest = mac.doFinal(normalized.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 12);
        } catch (GeneralSecurityException e) {
            throw new LockException(Code.INTERNAL, "this JDK has no HmacSHA256", e);
        }
    }
}
