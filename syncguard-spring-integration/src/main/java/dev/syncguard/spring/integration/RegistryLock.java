package dev.syncguard.spring.integration;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.locks.LeaseLock;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;

/** One key of a registry, for any thread. Has no state of its own: two of the same key are the same lock. */
final class RegistryLock implements DistributedLock {

    private final SyncGuardLockRegistry registry;
    private final String key;

    RegistryLock(SyncGuardLockRegistry registry, String key) {
        this.registry = registry;
        this.key = key;
    }

    @Override
    public void lock() {
        lock(registry.options());
    }

    @Override
    public void lock(Duration ttl) {
        lock(registry.options().ttl(ttl));
    }

    private void lock(LockOptions options) {
        attempt(options, new Way<RuntimeException>() {
            @Override
            public boolean local(KeyLock lock) {
                lock.local.lock();
                return true;
            }

            @Override
            public boolean store(LeaseLock lock) {
                lock.lock();
                return true;
            }
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        attempt(registry.options(), new Way<InterruptedException>() {
            @Override
            public boolean local(KeyLock lock) throws InterruptedException {
                lock.local.lockInterruptibly();
                return true;
            }

            @Override
            public boolean store(LeaseLock lock) throws InterruptedException {
                lock.lockInterruptibly();
                return true;
            }
        });
    }

    @Override
    public boolean tryLock() {
        return attempt(registry.options(), new Way<RuntimeException>() {
            @Override
            public boolean local(KeyLock lock) {
                return lock.local.tryLock();
            }

            @Override
            public boolean throwsIfLost() {
                return false;
            }

            @Override
            public boolean store(LeaseLock lock) {
                return lock.tryLock();
            }
        });
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(unit.toNanos(time), registry.options());
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(
                TimeUnit.NANOSECONDS.convert(waitTime), registry.options().ttl(ttl));
    }

    private boolean tryLock(long nanos, LockOptions options) throws InterruptedException {
        long start = System.nanoTime();
        return attempt(options, new Way<InterruptedException>() {
            @Override
            public boolean local(KeyLock lock) throws InterruptedException {
                return lock.local.tryLock(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public boolean throwsIfLost() {
                return false;
            }

            @Override
            public boolean store(LeaseLock lock) throws InterruptedException {
                return lock.tryLock(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
            }
        });
    }

    /** How a method waits, here and in the store. */
    private interface Way<X extends Exception> {
        boolean local(KeyLock lock) throws X;

        boolean store(LeaseLock lock) throws X;

        /** Whether a lock that the thread has, but that was lost, is an exception; otherwise it is not locked. */
        default boolean throwsIfLost() {
            return true;
        }
    }

    private <X extends Exception> boolean attempt(LockOptions options, Way<X> way) throws X {
        KeyLock lock = registry.enter(key);
        boolean locked = false;
        try {
            locked = way.local(lock)
                    && (lock.local.getHoldCount() > 1 ? again(lock, options, way) : stored(lock, options, way));
            return locked;
        } finally {
            if (!locked) {
                registry.leave(key);
            }
        }
    }

    /** Asks the store whether the thread still has the lock: a leader finds out in this way that it is none any more. */
    private <X extends Exception> boolean again(KeyLock lock, LockOptions options, Way<X> way) {
        boolean held = false;
        try {
            held = lock.lease()
                    .extendAtLeast(Duration.ofMillis(options.ttl().millis()))
                    .ok();
            if (!held && way.throwsIfLost()) {
                throw lost(null);
            }
        } finally {
            if (!held) {
                lock.local.unlock();
            }
        }
        if (!held) {
            giveUp(lock);
        }
        return held;
    }

    /** The thread is told once that it has no lock; it may try for a new one, with nothing to unlock before. */
    private void giveUp(KeyLock lock) {
        LeaseLock store = Objects.requireNonNull(lock.stored);
        lock.stored = null;
        store.lease().close();
        while (lock.local.isHeldByCurrentThread()) {
            lock.local.unlock();
            registry.leave(key);
        }
    }

    private static ConcurrentModificationException lost(@Nullable Throwable cause) {
        return new ConcurrentModificationException(
                "the lock was lost: what it protects may have been changed by another client meanwhile", cause);
    }

    private <X extends Exception> boolean stored(KeyLock lock, LockOptions options, Way<X> way) throws X {
        boolean locked = false;
        try {
            LeaseLock store = new LeaseLock(registry.guard(), key, options);
            lock.stored = store;
            locked = way.store(store);
            return locked;
        } finally {
            if (!locked) {
                lock.stored = null;
                lock.local.unlock();
            }
        }
    }

    @Override
    public void unlock() {
        KeyLock lock = registry.owned(key);
        try {
            if (lock.local.getHoldCount() == 1) {
                LeaseLock store = Objects.requireNonNull(lock.stored);
                lock.stored = null;
                store.unlock();
            }
        } catch (LeaseLostException e) {
            throw lost(e);
        } catch (LockException e) {
            // The release goes on in the background. Spring's leader election would not tell its candidate if this
            // threw.
        } finally {
            lock.local.unlock();
            registry.leave(key);
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a lock on a store has no conditions");
    }
}
