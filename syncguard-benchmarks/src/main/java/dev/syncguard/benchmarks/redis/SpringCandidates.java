package dev.syncguard.benchmarks.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Two libraries on Spring Data Redis, each with a connection factory of its own. */
final class SpringCandidates {

    private SpringCandidates() {}

    private static LettuceConnectionFactory factory(int port) {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    /** ShedLock: no fence, no index, and no waiting. */
    static Candidate shedLock(int port) {
        LettuceConnectionFactory factory = factory(port);
        RedisLockProvider provider = new RedisLockProvider(factory, "bench");
        return new Candidate() {
            @Override
            public void cycle(String key) {
                LockConfiguration configuration =
                        new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO);
                provider.lock(configuration).orElseThrow().unlock();
            }

            @Override
            public void close() {
                factory.destroy();
            }
        };
    }

    /** Spring Integration's registry: no fence. */
    static Candidate registry(int port) {
        LettuceConnectionFactory factory = factory(port);
        RedisLockRegistry registry = new RedisLockRegistry(factory, "registry", 30_000);
        return new Candidate() {
            @SuppressWarnings("LockNotBeforeTry") // nothing happens in between
            @Override
            public void cycle(String key) {
                Lock lock = registry.obtain(key);
                lock.lock();
                lock.unlock();
            }

            @Override
            public void close() {
                registry.destroy();
                factory.destroy();
            }
        };
    }
}
