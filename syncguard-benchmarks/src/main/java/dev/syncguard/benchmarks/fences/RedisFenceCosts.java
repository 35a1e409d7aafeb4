package dev.syncguard.benchmarks.fences;

import dev.syncguard.Fence;
import dev.syncguard.redis.RedisFenceGuard;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;

/** A conditional SET beside the plain script that only sets, both on one shared connection. */
final class RedisFenceCosts {

    private static final String SET = "return redis.call('SET', KEYS[1], ARGV[1])";
    private static final String VALUE = "{\"balance\":100,\"owner\":\"Ann\"}";

    private RedisFenceCosts() {}

    static List<String> rows(int threads, int rounds, int millis) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.url());
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                RedisCommands<String, String> redis = connection.sync();
                RedisFenceGuard fences = RedisFenceGuard.on(connection);
                String sha = redis.scriptLoad(SET);
                Fence fence = new Fence(1_000);
                return new Turns(threads, rounds, millis)
                        .with("EVALSHA of a script that only sets", thread -> {
                            Object unused = redis.evalsha(
                                    sha, ScriptOutputType.STATUS, new String[] {"plain:" + thread}, VALUE);
                        })
                        .with("`RedisFenceGuard.set`", thread -> fences.set("fenced:" + thread, VALUE, fence))
                        .rows();
            } finally {
                client.shutdown();
            }
        }
    }
}
