package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's RedisLockRegistry. */
final class SpringCandidate implements Candidate {

    private final LettuceConnectionFactory factory;
    private final RedisLockRegistry registry;

    SpringCandidate(int port, RedisLockType type) {
        factory = SpringData.factory(port);
        registry = new RedisLockRegistry(factory, "registry-" + type, GuardCandidate.TTL);
        registry.setRedisLockType(type);
    }

    @Override
    public void locked(String key, Runnable body) {
        Lock lock = registry.obtain(key);
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        registry.destroy();
        factory.destroy();
    }
}
