package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.LockKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Where things are stored: one namespace, or on a cluster sixteen, each in a slot of its own. */
final class RedisKeys {

    /** Part of the stored format. */
    static final int SHARDS = 16;

    private static final int MAX_PREFIX_BYTES = 200;
    private static final Pattern INDEX_NAME = Pattern.compile("id:[A-Za-z0-9_-]{22}");

    private final String prefix;
    private final RedisNamespace[] namespaces;
    private final String counterStart;

    RedisKeys(String prefix, boolean cluster) {
        String name = checkPrefix(prefix);
        this.prefix = name;
        if (cluster) {
            namespaces = new RedisNamespace[SHARDS];
            Arrays.setAll(namespaces, n -> new RedisNamespace("{" + name + ":" + n + "}"));
            counterStart = "fence:{" + name + ":";
        } else {
            namespaces = new RedisNamespace[] {new RedisNamespace(name)};
            counterStart = "fence:" + name + ":";
        }
    }

    /** Refuses a prefix under which locks, index entries and counters could meet (K4); returns it without end colons. */
    static String checkPrefix(String prefix) {
        String name = prefix.replaceAll(":+$", "");
        if (name.isEmpty() || name.getBytes(StandardCharsets.UTF_8).length > MAX_PREFIX_BYTES) {
            throw badPrefix("it has 1 to " + MAX_PREFIX_BYTES + " bytes");
        }
        if (name.chars().anyMatch(c -> Character.isISOControl(c) || c == '{' || c == '}')) {
            throw badPrefix("it has no braces and no control characters");
        }
        String bounded = ":" + name + ":";
        if (bounded.contains(":id:") || bounded.contains(":fence:") || name.endsWith("id") || name.endsWith("fence")) {
            throw badPrefix(
                    "it does not end in 'id' or 'fence' and has neither between colons, because index entries and"
                            + " fence counters are named so");
        }
        return name;
    }

    private static LockException badPrefix(String rule) {
        return new LockException(Code.INVALID_ARGUMENT, "this key prefix is not allowed: " + rule);
    }

    /** Refuses the two forms that name index entries and counters (K3). */
    RedisNamespace of(LockKey key) {
        String value = key.value();
        if (value.startsWith(counterStart) || isIndexName(value)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this key is reserved: 'id:' with 22 characters and 'fence:' with the prefix name the library's own"
                            + " entries; use another key");
        }
        return namespaces[shard(value)];
    }

    private static boolean isIndexName(String value) {
        return value.startsWith("id:") && INDEX_NAME.matcher(value).matches();
    }

    RedisNamespace of(LockId lockId) {
        return namespaces[shard(lockId.value())];
    }

    /** The pattern of SCAN for all keys of all namespaces. */
    String pattern() {
        return glob(namespaces.length == 1 ? namespaces[0].start() : "{" + prefix + ":") + "*";
    }

    /** The pattern of SCAN for all fence counters. */
    String counterPattern() {
        return glob(namespaces.length == 1 ? namespaces[0].start() : "{" + prefix + ":") + "*fence:*";
    }

    private static String glob(String text) {
        return text.replaceAll("([\\\\*?\\[\\]^])", "\\\\$1");
    }

    /** Whether a stored key is a lock of ours. */
    boolean isLock(String storageKey) {
        for (RedisNamespace namespace : namespaces) {
            if (storageKey.startsWith(namespace.start())) {
                return namespace.isLock(storageKey);
            }
        }
        return false;
    }

    boolean isCounter(String storageKey) {
        for (RedisNamespace namespace : namespaces) {
            if (storageKey.startsWith(namespace.counterStart())) {
                return true;
            }
        }
        return false;
    }

    /** On a cluster the lock id must lead to the slot of its lock: it is drawn until it does. */
    LockId newLockId(LockKey key) {
        int shard = shard(key.value());
        LockId lockId = LockIds.random();
        while (shard(lockId.value()) != shard) {
            lockId = LockIds.random();
        }
        return lockId;
    }

    private int shard(String text) {
        return namespaces.length == 1 ? 0 : shardOf(text);
    }

    /** The first four bytes of SHA-256 as an unsigned number, modulo 16: the low bits of the fourth byte. */
    static int shardOf(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return digest[3] & (SHARDS - 1);
        } catch (NoSuchAlgorithmException e) {
            throw new LockException(Code.INTERNAL, "this JDK has no SHA-256", e);
        }
    }
}
