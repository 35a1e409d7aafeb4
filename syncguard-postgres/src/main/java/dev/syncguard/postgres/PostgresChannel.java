package dev.syncguard.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Where the releases of one lock table are told: a channel, and the seed that turns its keys into 64-bit hashes. Hashes
 * name keys in notifications and in the advisory locks of waiters; two keys with the same one only wake each other.
 *
 * @param name the channel
 * @param seed the seed of the hashes
 */
record PostgresChannel(String name, long seed) {

    static PostgresChannel of(PostgresNames names) {
        byte[] digest = sha256(names.quotedLocks());
        String name = "syncguard_" + HexFormat.of().formatHex(digest, 0, 8);
        return new PostgresChannel(name, ByteBuffer.wrap(digest).getLong(8));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
