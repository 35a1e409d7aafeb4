package dev.syncguard;

import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;

/** A backend that nothing may reach. */
final class UnreachableBackend implements LockBackend {

    @Override
    public Capabilities capabilities() {
        return new Capabilities("unreachable", true, Capabilities.TimeAuthority.SERVER);
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        throw reached();
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        throw reached();
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        throw reached();
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        throw reached();
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        throw reached();
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        throw reached();
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        throw reached();
    }

    @Override
    public void close() {}

    private static AssertionError reached() {
        return new AssertionError("the backend was reached");
    }
}
