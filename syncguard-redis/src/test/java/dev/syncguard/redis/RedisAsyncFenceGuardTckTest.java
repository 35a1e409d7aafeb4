package dev.syncguard.redis;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterAll;

/** The contract of guards on one server, without blocked threads. */
class RedisAsyncFenceGuardTckTest extends FenceGuardTck {

    private final RedisClient client = Redis.client(Redis.get().url());
    private final StatefulRedisConnection<String, String> connection = client.connect();

    @Override
    protected FencedStore store() {
        return new FencedRedis(RedisFenceGuard.on(connection), connection.sync()::get, true);
    }

    @AfterAll
    void stop() {
        client.shutdown();
    }
}
