package dev.syncguard.redis;

import dev.syncguard.testbed.RedisServer;
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

    int port() {
        return RedisURI.create(url).getPort();
    }
}
