package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;

/**
 * Where the fence of a key stands: beside it, in the same slot of a cluster. The name ends in a brace for a key without a
 * hash tag and never does for one with, so that no two keys share one.
 */
final class RedisFenceKeys {

    private static final String PREFIX = "syncguard-fence:";
    private static final String SUFFIX = ":syncguard-fence";

    private RedisFenceKeys() {}

    static String of(LockKey key) {
        String name = key.value();
        if (hasTag(name)) {
            return name + SUFFIX;
        }
        if (name.indexOf('}') >= 0) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "no key beside this one would share its slot, because it has a brace but no hash tag; use another key"
                            + " [key " + key.hash() + "]");
        }
        return PREFIX + '{' + name + '}';
    }

    private static boolean hasTag(String name) {
        int open = name.indexOf('{');
        return open >= 0 && name.indexOf('}', open) > open + 1;
    }

    /** Whoever writes to such a key would set the fence of another one, and let a stale writer pass there. */
    static void refuseFence(String key) {
        boolean beside = key.startsWith(PREFIX + '{') && key.endsWith("}");
        if (beside || (key.endsWith(SUFFIX) && hasTag(key))) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this key has the form of those where a guard keeps its fences; use another");
        }
    }

    /** The key is also the name of the application's own data: it must be taken as it is. */
    static LockKey checked(String key) {
        LockKey checked = LockKey.of(key);
        refuseFence(key);
        if (!checked.value().equals(key)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this key is not in Unicode's normal form NFC, so that the same text could be two keys; normalise it"
                            + " [key " + checked.hash() + "]");
        }
        return checked;
    }
}
