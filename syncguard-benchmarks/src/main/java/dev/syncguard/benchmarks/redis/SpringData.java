package dev.syncguard.benchmarks.redis;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections of Spring Data Redis, as its documentation sets them up: Lettuce, one shared connection. */
final class SpringData {

    private SpringData() {}

    static LettuceConnectionFactory factory(int port) {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
