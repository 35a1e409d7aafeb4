package dev.syncguard.redis;

import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

/** The single server of most tests: the one that {@code SYNCGUARD_TEST_REDIS} names, or one started for this JVM. */
final class Redis {

    private static @Nullable Redis instance;

    private final String url;

    private Redis(String url) {
        this.url = url;
    }

    static synchronized Redis get() {
        if (instance == null) {
            String given = System.getenv("SYNCGUARD_TEST_REDIS");
            instance = new Redis(given != null ? given : RedisServer.start().url());
        }
        return instance;
    }

    String url() {
        return url;
    }

    /** A client that sends nothing again after a reconnect, as guards and backends want it. */
    static RedisClient client(String url) {
        RedisClient client = RedisClient.create(url);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        return client;
    }

    int port() {
        return RedisURI.create(url).getPort();
    }
}
