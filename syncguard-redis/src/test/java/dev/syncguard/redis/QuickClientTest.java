package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QuickClientTest {

    @Test
    @DisplayName("connects without the commands that it does not need, and has those that it does")
    void onlyAsync() throws Exception {
        ClientResources resources = DefaultClientResources.create();
        try (RedisServer redis = RedisServer.start();
                QuickClient client = new QuickClient(resources, RedisURI.create(redis.url()));
                StatefulRedisConnection<String, String> connection = client.connect()) {
            assertThat(connection.sync()).isNull();
            assertThat(connection.async().ping().get(30, TimeUnit.SECONDS)).isEqualTo("PONG");
        } finally {
            resources.shutdown(0, 1, TimeUnit.SECONDS).get();
        }
    }
}
