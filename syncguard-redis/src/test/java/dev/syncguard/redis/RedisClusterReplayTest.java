package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TcpProxy;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** As {@link RedisReplayTest}, over a connection to a cluster whose nodes stand behind proxies. */
@DisplayName("on a cluster")
class RedisClusterReplayTest {

    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final FencedScript COUNT = FencedScript.of("return redis.call('INCR', KEYS[1])");
    private static final Fence FENCE = new Fence(1);
    private static final String KEY = "n";

    private final RedisCluster cluster = RedisCluster.start();
    private final Map<Integer, TcpProxy> proxies = new HashMap<>();
    private final ClientResources resources = ClientResources.builder()
            .socketAddressResolver(MappingSocketAddressResolver.create(this::behindProxy))
            .build();
    private final RedisClusterClient client = RedisClusterClient.create(resources, cluster.url());

    RedisClusterReplayTest() {
        cluster.nodes().forEach(node -> proxies.put(node.port(), TcpProxy.to(node.port())));
        client.setOptions(ClusterClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build());
    }

    private HostAndPort behindProxy(HostAndPort node) {
        return HostAndPort.of("127.0.0.1", proxies.get(node.getPort()).port());
    }

    @AfterEach
    void close() {
        client.shutdown();
        var unused = resources.shutdown();
        proxies.values().forEach(TcpProxy::close);
        cluster.close();
    }

    private StatefulRedisClusterConnection<String, String> connect() {
        StatefulRedisClusterConnection<String, String> connection = client.connect();
        connection.setTimeout(PATIENT);
        return connection;
    }

    private RedisServer node(StatefulRedisClusterConnection<?, ?> connection) {
        int port = connection.getPartitions().getMasterBySlot(slot()).getUri().getPort();
        return cluster.nodes().stream()
                .filter(node -> node.port() == port)
                .findFirst()
                .orElseThrow();
    }

    private int slot() {
        return Integer.parseInt(cluster.nodes().get(0).command("CLUSTER", "KEYSLOT", KEY));
    }

    @Test
    @DisplayName("what was executed before the connection was lost is not executed again")
    void notRepeated() {
        StatefulRedisClusterConnection<String, String> connection = connect();
        RedisFenceGuard fences = RedisFenceGuard.on(connection);
        assertThat(fences.run(COUNT, List.of(KEY), List.of(), FENCE)).containsExactly(1L);
        RedisServer node = node(connection);
        TcpProxy proxy = proxies.get(node.port());
        proxy.dropReplies(true);
        CompletionStage<?> stage = fences.async().run(COUNT, List.of(KEY), List.of(), FENCE);
        await().until(() -> node.command("GET", KEY).equals("2"));

        proxy.finish();

        assertThat(stage)
                .failsWithin(PATIENT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                    assertThat(e.outcomeUnknown()).isTrue();
                });
        await().ignoreExceptionsInstanceOf(LockException.class)
                .until(() -> fences.highest(KEY).isPresent());
        assertThat(node.command("GET", KEY)).isEqualTo("2");
    }

    @Test
    @DisplayName("what was given up while the driver still connected to the node is not executed late")
    void notLate() {
        StatefulRedisClusterConnection<String, String> connection = connect();
        RedisServer node = node(connection);
        TcpProxy proxy = proxies.get(node.port());
        RedisTimeouts timeouts = new RedisTimeouts(PATIENT, resources.eventExecutorGroup());
        RedisExecutor impatient = new RedisExecutor(connection, timeouts, Duration.ofMillis(300));
        RedisExecutor patient = new RedisExecutor(connection, timeouts, PATIENT);
        node.command("SCRIPT", "LOAD", count().script().text());
        proxy.holdRequests(true);

        assertThatThrownBy(() -> impatient.await(count())).isInstanceOf(LockException.class);
        proxy.holdRequests(false);

        // In the row of the driver it stands behind the one that was given up; the newest driver refuses both for a
        // while.
        List<Object> counted = await().ignoreExceptionsInstanceOf(LockException.class)
                .until(() -> patient.await(count()), reply -> !reply.isEmpty());
        assertThat(counted).containsExactly(1L);
    }

    private static RedisRequest<List<Object>> count() {
        return RedisFenceRequests.run(COUNT, List.of(KEY), List.of(), FENCE);
    }
}
