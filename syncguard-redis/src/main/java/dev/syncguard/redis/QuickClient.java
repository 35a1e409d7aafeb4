package dev.syncguard.redis;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client for connections of our own: without {@code sync()}, which this library never calls. The proxy class
 * behind it has hundreds of methods, and making it takes a quarter of the time in which a short process starts.
 */
final class QuickClient extends RedisClient {

    QuickClient(ClientResources resources, RedisURI uri) {
        super(resources, uri);
    }

    @Override
    protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
            RedisChannelWriter writer, PushHandler pushHandler, RedisCodec<K, V> codec, Duration timeout) {
        return new StatefulRedisConnectionImpl<>(writer, pushHandler, codec, timeout) {
            @Override
            protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
                return null;
            }
        };
    }
}
