package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Candidate;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's locks, with a lease time as ours has one. */
final class RedissonCandidate implements Candidate {

    private final RedissonClient client;
    private final BiFunction<RedissonClient, String, RLock> kind;

    private RedissonCandidate(String url, BiFunction<RedissonClient, String, RLock> kind) {
        Config config = new Config();
        config.useSingleServer().setAddress(url);
        this.client = Redisson.create(config);
        this.kind = kind;
    }

    static RedissonCandidate lock(String url) {
        return new RedissonCandidate(url, (client, key) -> client.getLock("redisson:" + key));
    }

    static RedissonCandidate fenced(String url) {
        return new RedissonCandidate(url, (client, key) -> client.getFencedLock("redisson-fenced:" + key));
    }

    @Override
    public void locked(String key, Runnable body) {
        RLock lock = kind.apply(client, key);
        lock.lock(30, TimeUnit.SECONDS);
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CompletionStage<?> cycleAsync(String key, long owner) {
        RLock lock = kind.apply(client, key);
        return lock.lockAsync(30, TimeUnit.SECONDS, owner).thenCompose(locked -> lock.unlockAsync(owner));
    }

    /** Locks without a lease time: Redisson's watchdog renews it. */
    CompletionStage<?> renewed(String key, long owner) {
        return kind.apply(client, key).lockAsync(owner);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
