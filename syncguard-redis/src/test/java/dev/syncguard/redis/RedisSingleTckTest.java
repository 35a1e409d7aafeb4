package dev.syncguard.redis;

import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.DisplayName;

/** With default settings. */
@DisplayName("the contract on one server")
class RedisSingleTckTest extends RedisTck<AutoCloseable> {

    RedisSingleTckTest() {
        super(() -> {}, none -> RedisURI.create(Redis.get().url()));
    }

    @Override
    RedisLockBackendBuilder builder() {
        return RedisLockBackend.builder(Redis.get().url());
    }
}
