package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Printable;
import dev.syncguard.cli.text.Style;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.FirestoreNames;
import dev.syncguard.spi.support.RedisNames;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What becomes of one key on each store. */
final class Explanation {

    /** The names on one store, or why there are none. */
    private record Names(
            String lock, String fence, @Nullable Code error) {

        Json json() {
            return error == null
                    ? new Json().put("lock", lock).put("fence", fence)
                    : new Json().put("error", error.specName());
        }
    }

    /** Something that may find a key not allowed. */
    private interface Derivation {
        Names names();
    }

    private final String key;
    private final String hash;
    private final Map<String, Names> stores = new LinkedHashMap<>();

    private Explanation(String key, String hash) {
        this.key = key;
        this.hash = hash;
    }

    private static Explanation invalid(String key) {
        return new Explanation(key, "");
    }

    static Explanation of(String text, String prefix) {
        LockKey key;
        try {
            key = LockKey.of(text);
        } catch (LockException e) {
            return invalid(text);
        }
        Explanation explanation = new Explanation(key.value(), key.hash());
        StorageKeys sql = StorageKeys.sql();
        explanation.add("sqlite", () -> sqlNames(sql, key));
        explanation.add("redis", () -> redisNames(prefix, key));
        explanation.add("postgresql", () -> sqlNames(sql, key));
        explanation.add("firestore", () -> new Names(FirestoreNames.lock(key), FirestoreNames.fence(key), null));
        return explanation;
    }

    private static Names sqlNames(StorageKeys sql, LockKey key) {
        return new Names(sql.lock(key), sql.fence(key), null);
    }

    private static Names redisNames(String prefix, LockKey key) {
        StorageKeys redis = RedisNames.of(prefix);
        if (RedisNames.isReserved(redis.prefix(), key)) {
            throw new LockException(Code.INVALID_ARGUMENT, "reserved on Redis");
        }
        return new Names(redis.lock(key), redis.fence(key), null);
    }

    private void add(String store, Derivation derivation) {
        Names names;
        try {
            names = derivation.names();
        } catch (LockException e) {
            names = new Names("", "", e.code());
        }
        stores.put(store, names);
    }

    boolean isValid() {
        return !hash.isEmpty();
    }

    Json json() {
        Json json = new Json().put("key", key);
        if (!isValid()) {
            return json.put("error", Code.INVALID_ARGUMENT.specName());
        }
        json.put("hash", hash);
        stores.forEach((store, names) -> json.put(store, names.json()));
        return json;
    }

    String text(boolean colours) {
        if (!isValid()) {
            return Style.BAD.paint("not allowed as a key", colours) + ": 1 to " + LockKey.MAX_BYTES
                    + " bytes of UTF-8 without U+0000";
        }
        StringBuilder text = new StringBuilder();
        text.append("key         ").append(Style.NAME.paint(Printable.of(key), colours));
        text.append("\nhash        ").append(hash);
        stores.forEach((store, names) -> {
            String name = store + " ".repeat(12 - store.length());
            if (names.error() != null) {
                text.append('\n').append(name).append(Style.BAD.paint("not allowed there", colours));
            } else {
                text.append('\n').append(name).append("lock   ").append(Printable.of(names.lock()));
                text.append("\n            fence  ").append(Printable.of(names.fence()));
            }
        });
        return text.toString();
    }
}
