package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.fence.FenceClaim;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.spi.support.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What each fenced write sends. */
final class RedisFenceRequests {

    private static final FencedScript ADVANCE = FencedScript.single("return 1");
    private static final FencedScript SET = FencedScript.single("redis.call('SET', KEYS[1], ARGV[1])");
    private static final FencedScript HSET = FencedScript.single("redis.call('HSET', KEYS[1], unpack(ARGV))");
    private static final FencedScript DEL = FencedScript.single("return redis.call('DEL', KEYS[1])");

    private static final long STALE = 0;
    private static final long FOREIGN = -3;

    /** Lua's {@code unpack} fits that many on its stack. */
    private static final int MOST_FIELDS = 3_000;

    /** Reads the highest fence; not fenced itself. */
    private enum Highest implements ScriptText {
        SCRIPT;

        private final String text = ScriptText.read("fence-highest.lua");
        private final String sha = ScriptText.sha1(text);

        @Override
        public String text() {
            return text;
        }

        @Override
        public String sha() {
            return sha;
        }
    }

    private RedisFenceRequests() {}

    static RedisRequest<Boolean> advance(String resource, Fence fence) {
        return request(ADVANCE, claim(resource, fence), List.of(resource), List.of(), result -> true);
    }

    static RedisRequest<Boolean> set(String key, String value, Fence fence) {
        String text = Settings.required("value", value);
        return request(SET, claim(key, fence), List.of(key), List.of(text), result -> true);
    }

    static RedisRequest<Boolean> hset(String key, Map<String, String> fields, Fence fence) {
        if (Settings.required("fields", fields).isEmpty() || fields.size() > MOST_FIELDS) {
            throw new LockException(Code.INVALID_ARGUMENT, "one write sets 1 to " + MOST_FIELDS + " fields");
        }
        List<String> words = new ArrayList<>(2 * fields.size());
        fields.forEach((name, value) -> {
            words.add(Settings.required("field", name));
            words.add(Settings.required("value", value));
        });
        return request(HSET, claim(key, fence), List.of(key), words, result -> true);
    }

    static RedisRequest<Boolean> del(String key, Fence fence) {
        return request(DEL, claim(key, fence), List.of(key), List.of(), result -> RedisReply.number(result, 0) == 1);
    }

    static RedisRequest<List<Object>> run(FencedScript script, List<String> keys, List<String> arguments, Fence fence) {
        Settings.required("script", script);
        Settings.required("arguments", arguments);
        if (Settings.required("keys", keys).isEmpty()) {
            throw new LockException(Code.INVALID_ARGUMENT, "a fenced script needs a key: the first one is fenced");
        }
        keys.forEach(key -> RedisFenceKeys.refuseFence(Settings.required("key", key)));
        arguments.forEach(argument -> Settings.required("argument", argument));
        return request(script, claim(keys.get(0), fence), keys, arguments, result -> result);
    }

    private static FenceClaim claim(String key, Fence fence) {
        return new FenceClaim(RedisFenceKeys.checked(key), fence);
    }

    private static <T> RedisRequest<T> request(
            FencedScript script,
            FenceClaim claim,
            List<String> keys,
            List<String> arguments,
            Function<List<Object>, T> result) {
        List<String> words = new ArrayList<>(keys.size() + arguments.size() + 3);
        words.add(Integer.toString(keys.size() + 1));
        words.addAll(keys);
        words.add(RedisFenceKeys.of(claim.resource()));
        words.addAll(arguments);
        words.add(claim.fence().toString());
        return new RedisRequest<>(script.whole(), words, reply -> result.apply(accepted(claim, reply)));
    }

    /** Returns what the write returned. */
    private static List<Object> accepted(FenceClaim claim, List<Object> reply) {
        long outcome = RedisReply.number(reply, 0);
        if (outcome == STALE) {
            throw new StaleFenceException(claim.resource(), claim.fence(), RedisReply.fence(reply, 1));
        }
        return sound(claim.resource(), reply);
    }

    private static List<Object> sound(LockKey resource, List<Object> reply) {
        if (RedisReply.number(reply, 0) == FOREIGN) {
            throw new LockException(
                    Code.INTERNAL,
                    "foreign value where the fence of this key stands: not written by a guard; nothing was written; remove"
                            + " it if no lock of this key is held [key " + resource.hash() + "]");
        }
        if (reply.get(0).equals(RedisReply.RETURNED_ERROR)) {
            throw RedisErrors.returned(RedisReply.text(reply, 1));
        }
        return reply.subList(1, reply.size());
    }

    static RedisRequest<Optional<Fence>> highest(String resource) {
        LockKey key = RedisFenceKeys.checked(resource);
        return new RedisRequest<>(Highest.SCRIPT, List.of("1", RedisFenceKeys.of(key)), reply -> {
            List<Object> found = sound(key, reply);
            return found.isEmpty() ? Optional.empty() : Optional.of(RedisReply.fence(found, 0));
        });
    }
}
