package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock on Spring Data Redis. */
final class ShedLockCandidate implements Candidate {

    private final LettuceConnectionFactory factory;
    private final RedisLockProvider provider;

    ShedLockCandidate(int port) {
        factory = SpringData.factory(port);
        provider = new RedisLockProvider(factory, "bench");
    }

    @Override
    public void locked(String key, Runnable body) {
        SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), key, GuardCandidate.TTL, Duration.ZERO))
                .orElseThrow();
        body.run();
        lock.unlock();
    }

    @Override
    public void close() {
        factory.destroy();
    }
}
