package dev.syncguard;

import static dev.syncguard.LifeCycle.bounded;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The life cycle in both views. */
final class LifeCycles {

    private LifeCycles() {}

    static LifeCycle of(SyncGuard guard, boolean asynchronous) {
        return asynchronous ? new Asynchronous(guard) : new Blocking(guard);
    }

    private static final class Blocking extends LifeCycle {

        Blocking(SyncGuard guard) {
            super(guard);
        }

        @Override
        Lease acquire(String key, LockOptions options) {
            return guard.acquire(key, options);
        }

        @Override
        void tryAcquire(String key) {
            if (guard.tryAcquire(key) instanceof Lease lease) {
                delivered.add(lease.lockId());
                lease.close();
            }
        }

        @Override
        void call(String key, LockOptions options, LockedAction<RuntimeException> body) {
            guard.run(key, options, body);
        }

        @Override
        void extend(Lease lease) {
            attempt(() -> lease.extend(Duration.ofMinutes(2)));
            attempt(() -> guard.extendAtLeast(lease.lockId(), Duration.ofMinutes(1)));
            attempt(() -> guard.extend(lease.lockId(), Duration.ofMinutes(1)));
        }

        @Override
        void release(Lease lease) {
            lease.release();
        }

        @Override
        void close(Lease lease) {
            lease.close();
        }

        @Override
        void look(String key, LockId lockId) {
            attempt(() -> guard.isLocked(key));
            attempt(() -> guard.lookup(key));
            attempt(() -> guard.owns(lockId));
            attempt(() -> guard.listing(null, 10));
            attempt(guard::diagnostics);
        }
    }

    private static final class Asynchronous extends LifeCycle {

        private final AsyncSyncGuard async;

        Asynchronous(SyncGuard guard) {
            super(guard);
            this.async = guard.async();
        }

        @Override
        Lease acquire(String key, LockOptions options) throws Throwable {
            return bounded(async.acquire(key, options));
        }

        @Override
        void tryAcquire(String key) throws Throwable {
            if (bounded(async.tryAcquire(key)) instanceof Lease lease) {
                delivered.add(lease.lockId());
                bounded(lease.closeAsync());
            }
        }

        @Override
        void call(String key, LockOptions options, LockedAction<RuntimeException> body) throws Throwable {
            bounded(async.run(key, options, lease -> {
                body.accept(lease);
                return CompletableFuture.completedFuture(true);
            }));
        }

        @Override
        void extend(Lease lease) throws Throwable {
            attempt(() -> bounded(lease.extendAsync(Duration.ofMinutes(2))));
            attempt(() -> bounded(async.extendAtLeast(lease.lockId(), Duration.ofMinutes(1))));
            attempt(() -> bounded(async.extend(lease.lockId(), Duration.ofMinutes(1))));
        }

        @Override
        void release(Lease lease) throws Throwable {
            bounded(lease.releaseAsync());
        }

        @Override
        void close(Lease lease) throws Throwable {
            bounded(lease.closeAsync());
        }

        @Override
        void look(String key, LockId lockId) {
            attempt(() -> bounded(async.isLocked(key)));
            attempt(() -> bounded(async.lookup(key)));
            attempt(() -> bounded(async.owns(lockId)));
            attempt(() -> bounded(async.listing(null, 10)));
            attempt(() -> bounded(async.diagnostics()));
        }
    }
}
