package dev.syncguard.redis;

import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import dev.syncguard.testbed.RedisCluster;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import org.junit.jupiter.api.AfterAll;

/** The contract of guards on a cluster: every fence stands in the slot of its key. */
class RedisClusterFenceGuardTckTest extends FenceGuardTck {

    private final RedisCluster cluster = RedisCluster.start();
    private final RedisClusterClient client = RedisClusterClient.create(cluster.url());
    private final StatefulRedisClusterConnection<String, String> connection = client.connect();

    @Override
    protected FencedStore store() {
        return new FencedRedis(RedisFenceGuard.on(connection), connection.sync()::get, false);
    }

    @AfterAll
    void stop() {
        client.shutdown();
        cluster.close();
    }
}
