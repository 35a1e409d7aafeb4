package dev.syncguard.tck;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.Capabilities;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import java.time.Duration;
import java.util.Optional;

/** Hands everything on to another backend but {@link #close()}: it is borrowed. */
class ForwardingBackend implements LockBackend {

    private final LockBackend target;

    ForwardingBackend(LockBackend target) {
        this.target = target;
    }

    @Override
    public Capabilities capabilities() {
        return target.capabilities();
    }

    @Override
    public Duration commandTimeout() {
        return target.commandTimeout();
    }

    @Override
    public LockId newLockId(LockKey key) {
        return target.newLockId(key);
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return target.acquire(request, signal);
    }

    @Override
    public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
        return target.release(lockId, signal);
    }

    @Override
    public ExtendOutcome extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return target.extend(lockId, ttl, signal);
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return target.isLocked(key, signal);
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return target.findByKey(key, signal);
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return target.findById(lockId, signal);
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        return target.raiseFence(key, atLeast, signal);
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return target.async();
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return target.releaseSignals();
    }

    @Override
    public Optional<LockListing> listing() {
        return target.listing();
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return target.diagnostics();
    }

    @Override
    public void close() {}
}
