package dev.syncguard.redis;

import dev.syncguard.testbed.RedisSentinels;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.DisplayName;

/** The sentinels name the primary; its replica acknowledges every grant. */
@DisplayName("the contract by way of sentinels")
class RedisSentinelTckTest extends RedisTck<RedisSentinels> {

    RedisSentinelTckTest() {
        super(
                RedisSentinels.start(),
                servers -> RedisURI.create(servers.primary().url()));
    }

    @Override
    RedisLockBackendBuilder builder() {
        return RedisLockBackend.builder(servers().url()).replicaAcks(1);
    }
}
