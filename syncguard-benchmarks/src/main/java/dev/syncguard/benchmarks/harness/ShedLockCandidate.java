package dev.syncguard.benchmarks.harness;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock. It does not wait.
 *
 * @param provider gives the locks
 * @param beneath closed at the end
 */
public record ShedLockCandidate(LockProvider provider, AutoCloseable beneath) implements Candidate {

    @Override
    public void locked(String key, Runnable body) {
        SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), key, GuardCandidate.TTL, Duration.ZERO))
                .orElseThrow();
        body.run();
        lock.unlock();
    }

    @Override
    public void close() {
        Closing.unchecked(beneath);
    }
}
