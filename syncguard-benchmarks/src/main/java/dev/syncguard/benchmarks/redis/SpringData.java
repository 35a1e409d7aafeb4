package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.LockRegistryCandidate;
import dev.syncguard.benchmarks.harness.ShedLockCandidate;
import dev.syncguard.testbed.RedisServer;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Libraries on Spring Data Redis, set up as its documentation says: Lettuce, one shared connection. */
final class SpringData {

    private SpringData() {}

    static Candidate registry(RedisServer server, RedisLockType type) {
        LettuceConnectionFactory factory = factory(server);
        RedisLockRegistry registry = new RedisLockRegistry(factory, "registry-" + type, GuardCandidate.TTL);
        registry.setRedisLockType(type);
        return new LockRegistryCandidate(registry, () -> {
            registry.destroy();
            factory.destroy();
        });
    }

    static Candidate shedLock(RedisServer server, boolean safeUpdate) {
        LettuceConnectionFactory factory = factory(server);
        RedisLockProvider provider = new RedisLockProvider.Builder(factory)
                .environment("bench-" + safeUpdate)
                .safeUpdate(safeUpdate)
                .build();
        return new ShedLockCandidate(provider, factory::destroy);
    }

    private static LettuceConnectionFactory factory(RedisServer server) {
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
