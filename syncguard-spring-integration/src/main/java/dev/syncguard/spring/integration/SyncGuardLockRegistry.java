package dev.syncguard.spring.integration;

import static dev.syncguard.spi.support.Settings.required;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry on a guard.
 *
 * <pre>{@code
 * @Bean
 * LockRegistry<?> lockRegistry(SyncGuard guard) {
 *     return new SyncGuardLockRegistry(guard, "integration:", guard.options().autoExtend());
 * }
 * }</pre>
 *
 * <p>Its locks behave as those of Spring's own registries: they belong to a thread and are reentrant, {@code unlock} throws an
 * {@link IllegalStateException} if the thread does not have the lock, and a {@link java.util.ConcurrentModificationException}
 * if it was lost meanwhile. A store that fails is a {@link dev.syncguard.LockException}. Keys are strings.
 *
 * <p>A registry keeps nothing about keys that no thread has or waits for.
 */
public final class SyncGuardLockRegistry implements RenewableLockRegistry<DistributedLock> {

    private final SyncGuard guard;
    private final String prefix;
    private final LockOptions options;
    private final ConcurrentMap<String, KeyLock> locks = new ConcurrentHashMap<>();

    /**
     * Creates a registry whose keys in the store are those of its users, with the guard's options.
     *
     * @param guard the guard; stays open
     */
    public SyncGuardLockRegistry(SyncGuard guard) {
        this(guard, "", required("guard", guard).options());
    }

    /**
     * Creates a registry.
     *
     * @param guard the guard; stays open
     * @param prefix stands before each key in the store, to keep the registry apart from other locks of the application
     * @param options how to hold locks, for example {@link LockOptions#autoExtend()}; how long to wait is said by each call
     */
    public SyncGuardLockRegistry(SyncGuard guard, String prefix, LockOptions options) {
        this.guard = required("guard", guard);
        this.prefix = required("prefix", prefix);
        this.options = required("options", options);
    }

    @Override
    public DistributedLock obtain(Object lockKey) {
        return new RegistryLock(this, key(lockKey));
    }

    private String key(Object lockKey) {
        if (lockKey instanceof String text) {
            return prefix + text;
        }
        throw new IllegalArgumentException("a lock key is a String");
    }

    /** Extends the lock of the calling thread by its ttl. */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, Duration.ofMillis(options.ttl().millis()));
    }

    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        if (!lease(lockKey).extend(ttl).ok()) {
            throw new IllegalStateException("the lock could not be renewed: it was lost");
        }
    }

    /**
     * Returns the lease of the calling thread, for its fence.
     *
     * @param lockKey the key, as for {@link #obtain}
     * @return the lease; {@code unlock} releases it
     * @throws IllegalStateException if the calling thread does not have the lock
     */
    public Lease lease(Object lockKey) {
        return owned(key(lockKey)).lease();
    }

    SyncGuard guard() {
        return guard;
    }

    LockOptions options() {
        return options;
    }

    /** Counts a thread that has or wants the lock. */
    KeyLock enter(String key) {
        return locks.compute(key, (same, lock) -> {
            KeyLock present = lock == null ? new KeyLock() : lock;
            present.users++;
            return present;
        });
    }

    /** One less; the last one takes the lock with it. */
    void leave(String key) {
        locks.computeIfPresent(key, (same, lock) -> --lock.users == 0 ? null : lock);
    }

    /** Returns the lock if the calling thread has it. */
    KeyLock owned(String key) {
        @Nullable KeyLock lock = locks.get(key);
        if (lock == null || !lock.local.isHeldByCurrentThread()) {
            throw new IllegalStateException("this thread does not have this lock");
        }
        return lock;
    }

    /** For tests. */
    int remembered() {
        return locks.size();
    }
}
