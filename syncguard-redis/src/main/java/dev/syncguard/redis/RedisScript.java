package dev.syncguard.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The scripts, each one step of the contract; {@code lock.lua} stands in front of all of them. */
enum RedisScript {
    ACQUIRE("json.lua", "acquire.lua"),
    RELEASE("release.lua"),
    EXTEND("json.lua", "extend.lua"),
    IS_LOCKED("is-locked.lua"),
    FIND_BY_KEY("find.lua", "find-by-key.lua"),
    FIND_BY_ID("find.lua", "find-by-id.lua"),
    RAISE_FENCE("raise-fence.lua");

    private final String text;
    private final String sha;

    RedisScript(String... files) {
        StringBuilder all = new StringBuilder(read("lock.lua"));
        for (String file : files) {
            all.append(read(file));
        }
        this.text = all.toString();
        this.sha = sha1(text);
    }

    String text() {
        return text;
    }

    String sha() {
        return sha;
    }

    private static String read(String file) {
        try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-1", e);
        }
    }
}
