package dev.syncguard.benchmarks.fences;

import dev.syncguard.Fence;
import dev.syncguard.benchmarks.fences.Turns.Write;
import dev.syncguard.redis.RedisFenceGuard;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A conditional SET beside the plain script that only sets, both on one shared connection. */
final class RedisFenceCosts {

    private static final String SET = "return redis.call('SET', KEYS[1], ARGV[1])";
    private static final String VALUE = "{\"balance\":100,\"owner\":\"Ann\"}";

    private RedisFenceCosts() {}

    /** What is measured on a fresh server. */
    private interface Measurement {
        List<String> of(Map<String, Write> candidates, RedisCommands<String, String> redis) throws Exception;
    }

    /** How many in a second. */
    static List<String> rows(int threads, int rounds, int millis) throws Exception {
        return measure((candidates, redis) -> {
            Turns turns = new Turns(threads, rounds, millis);
            candidates.forEach(turns::with);
            return turns.rows();
        });
    }

    /** How much processor time one takes: that depends less on what else runs on the machine. */
    static List<String> processorTime(int threads, int rounds, int writes) throws Exception {
        return measure((candidates, redis) -> new ProcessorTime(threads, rounds, writes, redis).rows(candidates));
    }

    private static List<String> measure(Measurement measurement) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.url());
            client.setOptions(ClientOptions.builder()
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .build());
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                return measurement.of(candidates(connection), connection.sync());
            } finally {
                client.shutdown();
            }
        }
    }

    private static Map<String, Write> candidates(StatefulRedisConnection<String, String> connection) {
        RedisCommands<String, String> redis = connection.sync();
        RedisFenceGuard fences = RedisFenceGuard.on(connection);
        String sha = redis.scriptLoad(SET);
        Fence fence = new Fence(1_000);
        Map<String, Write> candidates = new LinkedHashMap<>();
        candidates.put("EVALSHA of a script that only sets", thread -> {
            Object unused = redis.evalsha(sha, ScriptOutputType.STATUS, new String[] {"plain:" + thread}, VALUE);
        });
        candidates.put("`RedisFenceGuard.set`", thread -> fences.set("fenced:" + thread, VALUE, fence));
        return candidates;
    }
}
