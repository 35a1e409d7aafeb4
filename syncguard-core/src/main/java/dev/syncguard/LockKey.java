package dev.syncguard;

import dev.syncguard.LockException.Code;
import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * A key that is normalised (NFC) and valid by construction.
 *
 * <p>{@link #toString()} shows the hash; {@link #value()} is the raw text.
 */
public final class LockKey {

    /** The longest key, in bytes of UTF-8 after normalisation. */
    public static final int MAX_BYTES = 512;

    /** The longest text that is looked at: normalising a huge one would cost seconds. */
    public static final int MAX_CHARS = 2048;

    private final String value;
    private final KeyHash hasher;
    private @Nullable String hash;

    private LockKey(String value, KeyHash hasher) {
        this.value = value;
        this.hasher = hasher;
    }

    /**
     * Checks and normalises a key; its hash is the canonical one.
     *
     * @param key the text that an application uses
     * @return the key
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is not allowed; the message does not repeat it
     */
    public static LockKey of(String key) {
        return of(key, KeyHash.canonical());
    }

    /**
     * Checks and normalises a key.
     *
     * @param key the text that an application uses
     * @param hasher makes the hash that messages and telemetry show
     * @return the key
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if it is not allowed; the message does not repeat it
     */
    public static LockKey of(String key, KeyHash hasher) {
        if (key == null || key.isEmpty()) {
            throw invalid("it must not be null or empty");
        }
        if (key.length() > MAX_CHARS) {
            throw invalid("it has " + key.length() + " characters, at most " + MAX_CHARS + " are looked at");
        }
        String normalized = isPlain(key) ? key : Normalizer.normalize(key, Normalizer.Form.NFC);
        int bytes = utf8Length(normalized);
        if (bytes > MAX_BYTES) {
            throw invalid("it has " + bytes + " bytes, at most " + MAX_BYTES + " are allowed (UTF-8 after NFC)");
        }
        return new LockKey(normalized, Arguments.required("hasher", hasher));
    }

    /** Returns whether the text is ASCII, which is its own normal form, and refuses what no store can hold. */
    private static boolean isPlain(String key) {
        boolean plain = true;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == 0) {
                throw invalid("it contains the character U+0000");
            }
            if (c > 0x7f) {
                plain = false;
                if (Character.isSurrogate(c)) {
                    if (!isPairAt(key, i)) {
                        throw invalid("it contains half of a surrogate pair");
                    }
                    i++;
                }
            }
        }
        return plain;
    }

    private static boolean isPairAt(String key, int i) {
        return i + 1 < key.length() && Character.isSurrogatePair(key.charAt(i), key.charAt(i + 1));
    }

    private static LockException invalid(String what) {
        return new LockException(
                Code.INVALID_ARGUMENT, "a key is a text of 1 to " + MAX_BYTES + " bytes without U+0000; " + what);
    }

    /**
     * Returns the length of a text in UTF-8, without encoding it.
     *
     * @param text any text
     * @return its length in bytes
     */
    public static int utf8Length(String text) {
        int bytes = Arguments.required("text", text).length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7ff) {
                // A surrogate pair is two chars and four bytes: two for each half.
                bytes += Character.isSurrogate(c) ? 1 : 2;
            } else if (c > 0x7f) {
                bytes++;
            }
        }
        return bytes;
    }

    /**
     * Returns the normalised text. Sensitive: keep it out of logs and messages.
     *
     * @return the raw key
     */
    public String value() {
        return value;
    }

    /**
     * Returns the hash, computed on first use.
     *
     * @return 24 hexadecimal characters
     */
    public String hash() {
        String result = hash;
        if (result == null) {
            result = hasher.hash(value);
            hash = result;
        }
        return result;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockKey that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode() * 0x9E3779B9; // numbered keys would be neighbours, and their users in each other's way
    }

    /** Returns a text that is safe to log. */
    @Override
    public String toString() {
        return "LockKey(" + hash() + ")";
    }
}
