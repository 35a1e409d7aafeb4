package dev.syncguard.redis;

import dev.syncguard.spi.support.InterruptShield;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections that we open from a client: to one server, to the primary that sentinels name, or to a cluster. */
final class OpenedLink implements RedisLink, RedisLink.Opener {

    /** In command timeouts: no less than all attempts of the driver together may take. */
    private static final int LONGEST_CONNECT = 5;

    private final AbstractRedisClient client;
    private final Supplier<? extends StatefulConnection<String, String>> connect;
    private final Supplier<? extends StatefulRedisPubSubConnection<String, String>> connectPubSub;
    private final @Nullable Runnable shutdown;
    private final List<StatefulConnection<?, ?>> opened = new CopyOnWriteArrayList<>();
    private final List<RedisConnectionStateListener> listeners = new CopyOnWriteArrayList<>();
    private final StatefulConnection<String, String> commands;

    private OpenedLink(
            AbstractRedisClient client,
            Supplier<? extends StatefulConnection<String, String>> connect,
            Supplier<? extends StatefulRedisPubSubConnection<String, String>> connectPubSub,
            @Nullable Runnable shutdown) {
        this.client = client;
        this.connect = connect;
        this.connectPubSub = connectPubSub;
        this.shutdown = shutdown;
        this.commands = keep(connect.get());
    }

    /** One server, or the primary that sentinels name. Shutting down a client of ours closes its connections. */
    static OpenedLink to(RedisClient client, RedisURI uri, Runnable shutdown) {
        StringCodec codec = StringCodec.UTF8;
        Duration limit = uri.getTimeout()
                .multipliedBy(LONGEST_CONNECT + 2L * uri.getSentinels().size());
        return new OpenedLink(
                client,
                () -> BoundedCall.connect(() -> client.connect(codec, uri), limit),
                () -> BoundedCall.connect(() -> client.connectPubSub(codec, uri), limit),
                shutdown);
    }

    /** The address of a given client. */
    static OpenedLink to(RedisClient client, Duration timeout) {
        StringCodec codec = StringCodec.UTF8;
        Duration limit = limit(client, timeout);
        return new OpenedLink(
                client,
                () -> BoundedCall.connect(() -> client.connect(codec), limit),
                () -> BoundedCall.connect(() -> client.connectPubSub(codec), limit),
                null);
    }

    /** A given client may have longer limits than we ask for. */
    private static Duration limit(AbstractRedisClient client, Duration timeout) {
        Duration own = client.getOptions().getSocketOptions().getConnectTimeout();
        return (own.compareTo(timeout) > 0 ? own : timeout).multipliedBy(LONGEST_CONNECT);
    }

    /** A cluster. Connections to all masters stand before the first command: the driver refuses commands until then. */
    static OpenedLink to(RedisClusterClient client, Duration timeout, @Nullable Runnable shutdown) {
        StringCodec codec = StringCodec.UTF8;
        Duration limit = limit(client, timeout);
        OpenedLink link = new OpenedLink(
                client,
                () -> BoundedCall.connect(() -> client.connect(codec), limit),
                () -> BoundedCall.connect(() -> client.connectPubSub(codec), limit),
                shutdown);
        try {
            BoundedCall.run(link::masters, limit);
            return link;
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    @Override
    public StatefulConnection<String, String> commands() {
        return commands;
    }

    @Override
    public boolean isCluster() {
        return commands instanceof StatefulRedisClusterConnection;
    }

    @Override
    public SortedMap<String, StatefulConnection<String, String>> masters() {
        return RedisOptions.masters(commands);
    }

    @Override
    public Optional<Opener> opener() {
        return Optional.of(this);
    }

    @Override
    public ClientResources resources() {
        return client.getResources();
    }

    @Override
    public StatefulConnection<String, String> open() {
        return keep(connect.get());
    }

    @Override
    public StatefulRedisPubSubConnection<String, String> openPubSub() {
        return keep(connectPubSub.get());
    }

    @Override
    public void onDisconnect(Runnable action) {
        RedisConnectionStateListener listener = new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                action.run();
            }
        };
        listeners.add(listener);
        client.addListener(listener);
    }

    private <C extends StatefulConnection<?, ?>> C keep(C connection) {
        opened.add(connection);
        return connection;
    }

    @Override
    public void close() {
        listeners.forEach(client::removeListener);
        CompletableFuture<?>[] closing =
                opened.stream().map(StatefulConnection::closeAsync).toArray(CompletableFuture[]::new);
        if (shutdown != null) {
            // A client that is shut down closes the connections of a cluster twice, with a warning for each of them.
            settled(CompletableFuture.allOf(closing));
            shutdown.run();
        }
    }

    private static void settled(CompletableFuture<Void> closed) {
        try {
            InterruptShield.get(closed, TimeUnit.SECONDS.toNanos(1));
        } catch (ExecutionException | TimeoutException e) {
            // Shutting down closes what is left.
        }
    }
}
