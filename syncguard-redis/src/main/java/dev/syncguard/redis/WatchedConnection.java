package dev.syncguard.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection of which it is known whether two commands went over the same one: the driver opens it anew by itself. It counts
 * a loss before it begins to open the next one.
 */
final class WatchedConnection {

    private final RedisExecutor executor;
    private final AtomicLong losses = new AtomicLong();

    WatchedConnection(StatefulConnection<String, String> connection, RedisExecutor executor) {
        this.executor = executor;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                losses.incrementAndGet();
            }
        });
    }

    RedisExecutor executor() {
        return executor;
    }

    /** How often it was lost so far. */
    long losses() {
        return losses.get();
    }
}
