package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.RedisNames;
import dev.syncguard.spi.support.Settings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where things are stored: one namespace, or on a cluster sixteen, each in a slot of its own. */
final class RedisKeys {

    /** Part of the stored format. */
    static final int SHARDS = 16;

    /** Leaves room for the hash of a key under the longest form of the prefix: <code>{prefix:15}:</code>. */
    static final int MAX_PREFIX_BYTES = RedisNames.ROOM_BYTES - StorageKeys.HASH_LENGTH - "{:15}:".length();

    private final RedisNamespace[] namespaces;

    /** How every key of every namespace begins, up to its colon. */
    private final String opening;

    RedisKeys(String prefix, boolean cluster) {
        String name = checkPrefix(prefix);
        if (cluster) {
            namespaces = new RedisNamespace[SHARDS];
            Arrays.setAll(namespaces, n -> new RedisNamespace("{" + name + ":" + n + "}"));
            opening = "{" + name;
        } else {
            namespaces = new RedisNamespace[] {new RedisNamespace(name)};
            opening = name;
        }
    }

    /**
     * Refuses a prefix under which locks, index entries and counters could meet, or that leaves no room for a hash on a
     * cluster (K4'); returns it without end colons.
     */
    static String checkPrefix(@Nullable String prefix) {
        String name = Settings.required("keyPrefix", prefix).replaceAll(":+$", "");
        int bytes = LockKey.utf8Length(name);
        if (bytes < 1 || bytes > MAX_PREFIX_BYTES) {
            throw badPrefix("it has 1 to " + MAX_PREFIX_BYTES + " bytes");
        }
        if (name.chars().anyMatch(c -> Character.isISOControl(c) || c == '{' || c == '}')) {
            throw badPrefix("it has no braces and no control characters");
        }
        String bounded = ":" + name + ":";
        if (bounded.contains(":id:") || bounded.contains(":fence:")) {
            throw badPrefix(
                    "no segment between colons is 'id' or 'fence': index entries and fence counters are named so");
        }
        return name;
    }

    private static LockException badPrefix(String rule) {
        return new LockException(Code.INVALID_ARGUMENT, "this key prefix is not allowed: " + rule);
    }

    /** Refuses the two forms that name index entries and counters (K3). */
    RedisNamespace of(LockKey key) {
        if (RedisNames.isReserved(opening, key)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this key is reserved: 'id:' with 22 characters and 'fence:' with the prefix name the library's own"
                            + " entries; use another key");
        }
        return namespaces[shard(key.value())];
    }

    RedisNamespace of(LockId lockId) {
        return namespaces[shard(lockId.value())];
    }

    /** Whether no name is hashed: then a script can put names together. */
    boolean isPlain() {
        return Arrays.stream(namespaces).allMatch(RedisNamespace::isPlain);
    }

    boolean isCluster() {
        return namespaces.length > 1;
    }

    /** The pattern of SCAN for all keys of all namespaces. */
    String pattern() {
        return glob(opening + ":") + "*";
    }

    /** The pattern of SCAN for all fence counters, also those of prefixes that overlap with this one. */
    String counterPattern() {
        int colon = opening.indexOf(':');
        String first = isCluster() || colon < 0 ? opening : opening.substring(0, colon);
        return glob(first + ":") + "*fence:*";
    }

    /**
     * The prefix of a fence counter that is not ours, if it gives locks the same names: one of the two prefixes is the
     * beginning of the other, up to a colon. Not on a cluster, where the prefix stands in braces.
     */
    Optional<String> overlappingPrefix(String counter) {
        int end = counter.indexOf(":fence:");
        if (isCluster() || end < 0) {
            return Optional.empty();
        }
        String other = counter.substring(0, end);
        String lock = counter.substring(end + ":fence:".length());
        boolean below = other.startsWith(opening + ":") && lock.startsWith(other + ":");
        boolean above = opening.startsWith(other + ":") && lock.startsWith(opening + ":");
        return below || above ? Optional.of(other) : Optional.empty();
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
