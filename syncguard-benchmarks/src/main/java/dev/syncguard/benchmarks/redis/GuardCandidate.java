package dev.syncguard.benchmarks.redis;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.redis.RedisLockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** This library, through its guard. */
final class GuardCandidate implements Candidate {

    private static final LockOptions PATIENT =
            LockOptions.defaults().ttl(Duration.ofSeconds(30)).waitAtMost(Duration.ofMinutes(5));

    private static final CompletionStage<?> DONE = CompletableFuture.completedStage(null);

    private final SyncGuard guard;

    GuardCandidate(String url) {
        guard = SyncGuard.of(RedisLockBackend.connect(url));
    }

    @Override
    public void cycle(String key) {
        try (Lease lease = guard.acquire(key)) {
            if (lease.fence().value() == 0) {
                throw new IllegalStateException("no fence");
            }
        }
    }

    @Override
    public CompletionStage<?> cycleAsync(String key, long id) {
        return guard.async().run(key, lease -> DONE);
    }

    @Override
    public void contend(String key, Runnable held, Runnable releasing) {
        Lease lease = guard.acquire(key, PATIENT);
        held.run();
        releasing.run();
        lease.close();
    }

    @Override
    public void close() {
        guard.close();
    }
}
