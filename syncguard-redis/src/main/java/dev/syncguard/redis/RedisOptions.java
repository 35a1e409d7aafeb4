package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How our own connections behave, and which options of others we accept.
 *
 * <p>A command that is queued or sent again after a reconnect runs at a time its caller does not know of: an acquire would
 * leave an orphan, a release could come late. {@code REJECT_COMMANDS} rules out the queue while disconnected, and from 6.7 on the
 * repetition of what was in flight (the driver then fails it; before, {@link RedisCall} does), and still reconnects in the
 * background.
 */
final class RedisOptions {

    private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(1);
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(10);

    private RedisOptions() {}

    static void refuseQueueing(ClientOptions options) {
        if (!rejectsWhileDisconnected(options)) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this client queues commands while disconnected and sends them again after a reconnect"
                            + " (disconnectedBehavior=" + options.getDisconnectedBehavior() + ", autoReconnect="
                            + options.isAutoReconnect() + "): set ClientOptions.disconnectedBehavior(REJECT_COMMANDS)");
        }
    }

    /** As the newest driver computes it itself. */
    private static boolean rejectsWhileDisconnected(ClientOptions options) {
        return switch (options.getDisconnectedBehavior()) {
            case REJECT_COMMANDS -> true;
            case ACCEPT_COMMANDS -> false;
            case DEFAULT -> !options.isAutoReconnect();
        };
    }

    static ClientOptions single(Duration timeout, SslOptions tls) {
        return fill(ClientOptions.builder(), timeout, tls).build();
    }

    /** Drivers before 7.0 look at the topology after a redirection only if told to; later ones do so by themselves. */
    @SuppressWarnings("deprecation")
    static ClusterClientOptions cluster(Duration timeout, SslOptions tls) {
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
        fill(builder, timeout, tls);
        return builder.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(LONGEST_RECONNECT_DELAY)
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .build())
                .build();
    }

    /** Timeouts are ours (see {@link RedisTimeouts}): a timer for each command is not needed where all are equal. */
    private static ClientOptions.Builder fill(ClientOptions.Builder builder, Duration timeout, SslOptions tls) {
        LaterOptions.fill(builder);
        return builder.autoReconnect(true)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .tcpNoDelay(true)
                        .build())
                .sslOptions(tls);
    }

    /** Threads of our own client. */
    static ClientResources resources(ClientChannels channels) {
        return ClientResources.builder()
                .reconnectDelay(
                        Delay.exponential(Duration.ofMillis(10), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
                .nettyCustomizer(channels)
                .build();
    }

    /** By host and port, because these are the connections that commands use on their way to a slot. */
    static SortedMap<String, StatefulConnection<String, String>> masters(
            StatefulConnection<String, String> connection) {
        SortedMap<String, StatefulConnection<String, String>> masters = new TreeMap<>();
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            for (RedisClusterNode node : cluster.getPartitions()) {
                if (node.getRole().isUpstream() && !node.getSlots().isEmpty()) {
                    RedisURI uri = node.getUri();
                    masters.put(node.getNodeId(), cluster.getConnection(uri.getHost(), uri.getPort()));
                }
            }
        } else {
            masters.put("", connection);
        }
        return masters;
    }
}
