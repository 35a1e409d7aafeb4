package dev.syncguard;

import dev.syncguard.LockException.Code;

/**
 * The identity of one grant, and the right to release or extend it.
 *
 * <p>A client that knows the text can release the lock, so {@link #toString()} does not print it; {@link #value()} does.
 */
public final class LockId {

    private static final int LENGTH = 22;
    private static final boolean[] IS_BASE64_URL = new boolean[128];

    static {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
        for (int i = 0; i < alphabet.length(); i++) {
            IS_BASE64_URL[alphabet.charAt(i)] = true;
        }
    }

    private final String value;

    private LockId(String value) {
        this.value = value;
    }

    /**
     * Reads a lock id, for example one that another process handed over.
     *
     * @param text exactly 22 base64url characters
     * @return the lock id
     * @throws LockException with {@link Code#INVALID_ARGUMENT} for anything else; the message does not repeat the text
     */
    public static LockId parse(String text) {
        if (text == null) {
            throw malformed("null");
        }
        if (text.length() != LENGTH) {
            throw malformed(text.length() + " characters");
        }
        for (int i = 0; i < LENGTH; i++) {
            if (!isBase64Url(text.charAt(i))) {
                throw malformed("a character outside of A-Z a-z 0-9 _ -");
            }
        }
        return new LockId(text);
    }

    /** Looks it up, because the characters are random: comparisons would be mispredicted for most of them. */
    private static boolean isBase64Url(char c) {
        return c < IS_BASE64_URL.length && IS_BASE64_URL[c];
    }

    private static LockException malformed(String found) {
        return new LockException(
                Code.INVALID_ARGUMENT, "a lock id has exactly 22 base64url characters, this one has " + found);
    }

    /**
     * Returns the raw text. Treat it like a password: keep it out of logs and process arguments.
     *
     * @return the 22 characters
     */
    public String value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockId that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** Returns a text that is safe to log: it does not contain the id. */
    @Override
    public String toString() {
        return "LockId(hidden)";
    }
}
