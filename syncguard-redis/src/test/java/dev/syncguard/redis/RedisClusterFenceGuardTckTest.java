package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import dev.syncguard.testbed.RedisCluster;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of guards on a cluster: every fence stands in the slot of its key. */
class RedisClusterFenceGuardTckTest extends FenceGuardTck {

    private final RedisCluster cluster = RedisCluster.start();
    private final RedisClusterClient client = RedisClusterClient.create(cluster.url());
    private final StatefulRedisClusterConnection<String, String> connection = connect();

    private StatefulRedisClusterConnection<String, String> connect() {
        client.setOptions(ClusterClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        return client.connect();
    }

    @Override
    protected FencedStore store() {
        return new FencedRedis(RedisFenceGuard.on(connection), connection.sync()::get, false);
    }

    @Test
    @DisplayName("a script that uses a key of another node ran once, and its outcome is unknown")
    void keyOfAnotherNode() {
        RedisFenceGuard fences = RedisFenceGuard.on(connection);
        FencedScript undeclared = FencedScript.of("redis.call('INCR', KEYS[1]) return redis.call('SET', ARGV[1], 'x')");
        for (int i = 0; i < 8; i++) {
            String key = "counter:" + i;
            String other = "other:" + i;
            if (node(key).equals(node(other))) {
                continue; // a server before 7.2 lets that pass
            }
            LockException failure = catchThrowableOfType(
                    LockException.class, () -> fences.run(undeclared, List.of(key), List.of(other), new Fence(1)));

            assertThat(failure.outcomeUnknown()).isTrue();
            assertThat(connection.sync().get(key)).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.pcall('GET', ARGV[1])",
                "{'first', redis.pcall('GET', ARGV[1])}",
                "{{redis.error_reply('TRYAGAIN later')}}",
                "{redis.error_reply('MOVED 1 127.0.0.1:1')}"
            })
    @DisplayName("a script that returns an error which a cluster has for a moved slot ran once, and says that it ran")
    void returnedError(String result) {
        FencedScript script = FencedScript.of("redis.call('INCR', KEYS[1]) return " + result);
        String key = "counted:" + result.hashCode();

        LockException failure = catchThrowableOfType(
                LockException.class,
                () -> RedisFenceGuard.on(connection)
                        .run(script, List.of(key), List.of(onAnotherNode(key)), new Fence(1)));

        assertThat(failure).hasMessageContaining("what it wrote stays");
        assertThat(connection.sync().get(key)).isEqualTo("1");
    }

    private String onAnotherNode(String key) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "other:" + i)
                .filter(other -> !node(key).equals(node(other)))
                .findFirst()
                .orElseThrow();
    }

    private String node(String key) {
        return connection
                .getPartitions()
                .getPartitionBySlot(SlotHash.getSlot(key))
                .getNodeId();
    }

    @Test
    @DisplayName("keys of several slots are an invalid argument")
    void severalSlots() {
        FencedScript script = FencedScript.of("return redis.call('INCR', KEYS[1])");

        LockException failure = catchThrowableOfType(
                LockException.class,
                () -> RedisFenceGuard.on(connection).run(script, List.of("a", "b"), List.of(), new Fence(1)));

        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(connection.sync().get("a")).isNull();
    }

    @AfterAll
    void stop() {
        client.shutdown();
        cluster.close();
    }
}
