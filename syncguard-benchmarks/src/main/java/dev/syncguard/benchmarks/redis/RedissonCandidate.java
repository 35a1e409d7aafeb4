package dev.syncguard.benchmarks.redis;

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

    @SuppressWarnings("LockNotBeforeTry") // nothing happens in between
    @Override
    public void cycle(String key) {
        RLock lock = kind.apply(client, key);
        lock.lock(30, TimeUnit.SECONDS);
        lock.unlock();
    }

    @Override
    public CompletionStage<?> cycleAsync(String key, long id) {
        RLock lock = kind.apply(client, key);
        return lock.lockAsync(30, TimeUnit.SECONDS, id).thenCompose(locked -> lock.unlockAsync(id));
    }

    @Override
    public void contend(String key, Runnable held, Runnable releasing) {
        RLock lock = kind.apply(client, key);
        lock.lock(30, TimeUnit.SECONDS);
        try {
            held.run();
            releasing.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
