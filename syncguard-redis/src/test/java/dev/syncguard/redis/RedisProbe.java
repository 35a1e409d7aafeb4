package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.tck.StoreProbe;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks into Redis with a client of its own. */
final class RedisProbe implements StoreProbe {

    private static final Pattern TEXT = Pattern.compile("\"(lockId|fence)\":\"([^\"]*)\"");
    private static final Pattern NUMBER = Pattern.compile("\"(expiresAtMs|acquiredAtMs)\":(\\d+)");

    private final RedisClusterCommands<String, String> redis;
    private final RedisKeys keys;

    RedisProbe(RedisClusterCommands<String, String> redis, RedisKeys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    String lockKey(String key) {
        LockKey lock = LockKey.of(key);
        return keys.of(lock).lock(lock);
    }

    String counterKey(String key) {
        return keys.of(LockKey.of(key)).counter(LockKey.of(key));
    }

    @Override
    public Optional<StoredLock> stored(String key) {
        return Optional.ofNullable(redis.get(lockKey(key)))
                .map(json -> new StoredLock(
                        key,
                        LockId.parse(find(TEXT, json, "lockId")),
                        Long.parseLong(find(NUMBER, json, "acquiredAtMs")),
                        Long.parseLong(find(NUMBER, json, "expiresAtMs")),
                        Fence.parse(find(TEXT, json, "fence"))));
    }

    private static String find(Pattern pattern, String json, String field) {
        Matcher matcher = pattern.matcher(json);
        while (matcher.find()) {
            if (matcher.group(1).equals(field)) {
                return matcher.group(2);
            }
        }
        throw new AssertionError("no " + field + " in the stored lock");
    }

    @Override
    public void expire(String key) {
        expireAt(key, nowMs() - 60_000);
    }

    @Override
    public void expireAgo(String key, Duration ago) {
        expireAt(key, nowMs() - ago.toMillis());
    }

    private void expireAt(String key, long expiresAtMs) {
        String json = redis.get(lockKey(key)).replaceFirst("\"expiresAtMs\":\\d+", "\"expiresAtMs\":" + expiresAtMs);
        redis.set(lockKey(key), json, SetArgs.Builder.keepttl());
    }

    @Override
    public long fenceCounter(String key) {
        String counter = redis.get(counterKey(key));
        return counter == null ? 0 : Long.parseLong(counter);
    }

    @Override
    public void setFenceCounter(String key, long value) {
        redis.set(counterKey(key), Long.toString(value));
    }

    @Override
    public long nowMs() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }
}
