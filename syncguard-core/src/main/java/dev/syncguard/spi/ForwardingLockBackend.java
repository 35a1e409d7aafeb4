package dev.syncguard.spi;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Hands every call on to another backend: the start of a decorator, which overrides what it changes.
 *
 * <p>The asynchronous operations are those of the other backend. A decorator that changes an operation overrides
 * {@link #async()} as well, or the change is only there for blocking callers.
 */
public abstract class ForwardingLockBackend implements LockBackend {

    private final LockBackend target;

    /**
     * Creates a backend that forwards.
     *
     * @param target gets the calls
     */
    protected ForwardingLockBackend(LockBackend target) {
        this.target = Objects.requireNonNull(target, "target");
    }

    /**
     * Returns where calls go.
     *
     * @return the other backend
     */
    protected final LockBackend target() {
        return target;
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
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return target.release(request, signal);
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return target.extend(request, signal);
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
    public Optional<HandOver> handOver() {
        return target.handOver();
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
    public Optional<LeaseObserver> leaseObserver() {
        return target.leaseObserver();
    }

    @Override
    public void close() {
        target.close();
    }
}
