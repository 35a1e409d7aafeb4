package dev.syncguard.memory;

import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Locks in the memory of this process: for tests, and for applications that have one process only.
 *
 * <p>The full contract holds among all guards that share one instance. Locks and fences end with the process. One counter
 * for each key that was ever locked stays in memory.
 */
public final class MemoryLockBackend implements LockBackend {

    private static final Capabilities CAPABILITIES = new Capabilities("memory", true, TimeAuthority.SERVER, true);

    private final MemoryStore store;
    private final AsyncLockBackend async = new MemoryAsync(this);

    /** Creates an empty store. */
    public MemoryLockBackend() {
        this(new MemoryStore(steadyClock()));
    }

    MemoryLockBackend(MemoryStore store) {
        this.store = store;
    }

    /** The time of day at the start, going on with the monotonic clock: no jumps. */
    private static LongSupplier steadyClock() {
        long startMs = System.currentTimeMillis();
        long start = System.nanoTime();
        return () -> startMs + (System.nanoTime() - start) / 1_000_000;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    /** Returns a short time, because nothing here can be slow. */
    @Override
    public Duration commandTimeout() {
        return Duration.ofMillis(100);
    }

    @Override
    public LockId newLockId(LockKey key) {
        return store.index().draw();
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        signal.throwIfAborted();
        return store.slot(request.key().value()).acquire(request);
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        signal.throwIfAborted();
        MemorySlot slot = store.slotOf(request.lockId(), request.key());
        return slot == null ? ReleaseOutcome.NOT_FOUND : slot.release(request.lockId());
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        signal.throwIfAborted();
        MemorySlot slot = store.slotOf(request.lockId());
        return slot == null ? NotExtended.NOT_FOUND : slot.extend(request);
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return findByKey(key, signal).isPresent();
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        signal.throwIfAborted();
        return store.find(key.value());
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        signal.throwIfAborted();
        return store.find(lockId);
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        signal.throwIfAborted();
        FenceLimits.raisable(atLeast);
        return store.slot(key.value()).raise(atLeast);
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.of(async);
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return Optional.of((key, wakeUp) -> store.slot(key.value()).subscribe(wakeUp));
    }

    @Override
    public Optional<HandOver> handOver() {
        return Optional.of(store.handOver());
    }

    @Override
    public Optional<LockListing> listing() {
        return Optional.of((cursor, limit, signal) -> {
            signal.throwIfAborted();
            return store.list(cursor, LockListing.checkedLimit(limit));
        });
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return Optional.of(signal -> List.of(
                new Finding(
                        "memory.volatile",
                        Level.WARN,
                        "locks and fences live in this process only and end with it",
                        "use a store that all processes share for anything but tests and single processes"),
                new Finding("memory.counters", Level.OK, store.counters() + " fence counters", "")));
    }

    /** Does nothing: other guards may share this instance. */
    @Override
    public void close() {}
}
