package dev.syncguard.benchmarks.harness;

import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * A lock registry of Spring Integration.
 *
 * @param registry gives the locks
 * @param beneath closed at the end
 */
public record LockRegistryCandidate(LockRegistry<?> registry, AutoCloseable beneath) implements Candidate {

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
        Closing.unchecked(beneath);
    }
}
