package dev.syncguard.redis;

import dev.syncguard.FenceMode;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.DisplayName;

/** Another way to find fences, the same rules. */
@DisplayName("the contract with fences that follow the time")
class RedisTimeFlooredTckTest extends RedisTck<RedisServer> {

    RedisTimeFlooredTckTest() {
        super(RedisServer.start(), server -> RedisURI.create(server.url()));
    }

    @Override
    RedisLockBackendBuilder builder() {
        return RedisLockBackend.builder(servers().url()).fenceMode(FenceMode.TIME_FLOORED);
    }
}
