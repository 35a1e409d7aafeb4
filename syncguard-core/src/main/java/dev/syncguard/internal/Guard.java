package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockInfo;
import dev.syncguard.LockOptions;
import dev.syncguard.LockedFunction;
import dev.syncguard.RawLockInfo;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Timekeeper;
import dev.syncguard.spi.Ttl;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What stands behind {@link dev.syncguard.SyncGuard} and its asynchronous view. */
public final class Guard implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");

    private final Settings settings;
    private final Workers workers;
    private final Store store;
    private final WaitingRoom room;
    private final FenceMemory fences = new FenceMemory();
    private final Leases leases = new Leases();
    private final Compensations compensations = new Compensations(this);
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Makes a guard.
     *
     * @param backend the store
     * @param settings what the builder collected
     */
    public Guard(LockBackend backend, Settings settings) {
        this.settings = settings;
        this.workers = new Workers(settings.threads());
        this.store = new Store(backend, workers);
        this.room = new WaitingRoom(backend.releaseSignals());
    }

    Store store() {
        return store;
    }

    Timekeeper time() {
        return settings.time();
    }

    Workers workers() {
        return workers;
    }

    WaitingRoom room() {
        return room;
    }

    FenceMemory fences() {
        return fences;
    }

    Compensations compensations() {
        return compensations;
    }

    @Nullable Duration disposeTimeout() {
        return settings.disposeTimeout();
    }

    /**
     * Returns the options of calls without options.
     *
     * @return the defaults of this guard
     */
    public LockOptions defaults() {
        return settings.defaults();
    }

    void ensureOpen() {
        if (closed.get()) {
            throw new IllegalStateException("this SyncGuard is closed");
        }
    }

    private LockKey key(String key) {
        ensureOpen();
        return LockKey.of(key, settings.hash());
    }

    // ---- acquiring

    /**
     * Waits for a lock on the caller's thread.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels
     * @return the lease
     */
    public Lease acquire(String key, LockOptions options, AbortSignal signal) {
        return hold(key, options, signal);
    }

    private HeldLease hold(String key, LockOptions options, AbortSignal signal) {
        return new BlockingAcquire(this, key(key), options, signal).await();
    }

    /**
     * Waits for a lock, does something, and releases it whatever happens.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body what to do
     * @param <T> its result
     * @param <X> what it throws
     * @return the result of the body
     * @throws X what the body threw
     */
    public <T extends @Nullable Object, X extends Exception> T call(
            String key, LockOptions options, AbortSignal signal, LockedFunction<T, X> body) throws X {
        HeldLease lease = hold(key, options, signal);
        T result;
        try {
            result = body.apply(lease);
        } catch (Throwable thrown) {
            lease.close();
            LeaseLostException loss = lease.loss(null);
            if (loss != null) {
                thrown.addSuppressed(loss);
            }
            throw thrown;
        }
        lease.close();
        LeaseLostException loss = lease.loss(result);
        if (loss != null) {
            throw loss;
        }
        return result;
    }

    /**
     * Waits for a lock, does something, and releases it whatever happens, all without a thread.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body what to do
     * @param <T> its result
     * @return the result of the body, later
     */
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            String key, LockOptions options, AbortSignal signal, Function<Lease, CompletionStage<T>> body) {
        CompletableFuture<HeldLease> acquiring = holdAsync(key, options, signal);
        return new AsyncCall<>(acquiring, body).start();
    }

    /**
     * Waits for a lock without a thread.
     *
     * @param key the raw key
     * @param options how to wait and hold
     * @param signal cancels
     * @return the lease, later
     */
    public CompletableFuture<? extends Lease> acquireAsync(String key, LockOptions options, AbortSignal signal) {
        return holdAsync(key, options, signal);
    }

    private CompletableFuture<HeldLease> holdAsync(String key, LockOptions options, AbortSignal signal) {
        return new AsyncAcquire(this, key(key), options, signal).start();
    }

    /**
     * Tries once on the caller's thread.
     *
     * @param key the raw key
     * @param options how to hold
     * @param signal cancels
     * @return the lease, or that somebody else has the lock
     */
    public AcquireResult tryAcquire(String key, LockOptions options, AbortSignal signal) {
        Acquisition acquisition = new Acquisition(this, key(key), options);
        acquisition.throwIfCancelled(signal);
        AcquireOutcome outcome;
        try {
            outcome = store.acquire(acquisition.request(false), signal);
        } catch (LockException e) {
            throw acquisition.failed(e);
        }
        if (outcome instanceof Granted granted) {
            HeldLease lease = acquisition.admit(granted);
            if (acquisition.isCancelled(signal)) {
                lease.close();
                throw acquisition.aborted();
            }
            return lease;
        }
        return contended((Refused) outcome);
    }

    /**
     * Tries once without a thread.
     *
     * @param key the raw key
     * @param options how to hold
     * @param signal cancels
     * @return the result, later
     */
    public CompletableFuture<AcquireResult> tryAcquireAsync(String key, LockOptions options, AbortSignal signal) {
        Acquisition acquisition = new Acquisition(this, key(key), options);
        CompletableFuture<AcquireResult> result = new CompletableFuture<>();
        store.acquireAsync(acquisition.request(false), signal).whenComplete((outcome, failure) -> {
            try {
                if (failure != null) {
                    throw acquisition.failed(Store.translate(failure, acquisition.key(), null));
                }
                if (outcome instanceof Refused refused) {
                    result.complete(contended(refused));
                    return;
                }
                HeldLease lease = acquisition.admit((Granted) outcome);
                boolean delivered = signal.isAborted()
                        ? !result.completeExceptionally(acquisition.aborted())
                        : result.complete(lease);
                if (!delivered) {
                    lease.closeAsync();
                }
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static Contended contended(Refused refused) {
        return new Contended(Duration.ofMillis(refused.grantableInMs()));
    }

    /** Makes a grant into a lease that this guard knows. */
    HeldLease hold(Acquisition acquisition, Granted granted, long dispatched, long deadline) {
        HeldLease lease =
                new HeldLease(this, acquisition.key(), acquisition.options(), granted, dispatched, deadline);
        leases.add(lease);
        lease.start();
        return lease;
    }

    void warnIfHeldBy(Thread thread, LockKey key) {
        FenceMemory.Seen seen = fences.recall(key);
        HeldLease lease = seen == null ? null : leases.find(seen.lockId());
        if (lease != null && lease.isBelieved() && lease.wasAcquiredBy(thread)) {
            LOGGER.log(
                    Level.WARNING,
                    "a thread waits for key {0}, which it acquired itself: locks are not re-entrant",
                    key.hash());
        }
    }

    // ---- the end of leases

    void released(HeldLease lease) {
        leases.remove(lease);
        room.released(lease.key());
    }

    void lost(HeldLease lease, LockOptions options, LeaseLostException loss) {
        leases.remove(lease);
        LOGGER.log(Level.WARNING, loss.getMessage());
        options.onLost().ifPresent(handler -> workers.callback("onLost", () -> handler.accept(loss)));
    }

    void releaseFailed(HeldLease lease, LockOptions options, LockException failure) {
        leases.remove(lease);
        Consumer<LockException> handler = options.onReleaseError().orElse(settings.onReleaseError());
        if (handler != null) {
            workers.callback("onReleaseError", () -> handler.accept(failure));
        } else {
            LOGGER.log(Level.WARNING, "a lock could not be released, it ends with its ttl: {0}", failure.getMessage());
        }
    }

    // ---- by lock id

    /**
     * Releases a lock by its id, through this guard's own lease if it has one.
     *
     * @param lockId the lock id
     * @return whether this call released it
     */
    public boolean release(LockId lockId) {
        ensureOpen();
        HeldLease lease = leases.find(lockId);
        return lease != null ? lease.release() : store.release(null, lockId) == ReleaseOutcome.RELEASED;
    }

    /**
     * Releases a lock by its id without a thread.
     *
     * @param lockId the lock id
     * @return whether this call released it, later
     */
    public CompletableFuture<Boolean> releaseAsync(LockId lockId) {
        ensureOpen();
        HeldLease lease = leases.find(lockId);
        return lease != null
                ? lease.releaseAsync()
                : store.releaseAsync(null, lockId).thenApply(outcome -> outcome == ReleaseOutcome.RELEASED);
    }

    /**
     * Extends a lock by its id, through this guard's own lease if it has one.
     *
     * @param lockId the lock id
     * @param ttl the new time to live
     * @return whether it was live
     */
    public boolean extend(LockId lockId, Duration ttl) {
        ensureOpen();
        HeldLease lease = leases.find(lockId);
        return lease != null
                ? lease.extend(ttl)
                : store.extend(null, lockId, Ttl.of(ttl)) instanceof ExtendOutcome.Extended;
    }

    /**
     * Extends a lock by its id without a thread.
     *
     * @param lockId the lock id
     * @param ttl the new time to live
     * @return whether it was live, later
     */
    public CompletableFuture<Boolean> extendAsync(LockId lockId, Duration ttl) {
        ensureOpen();
        HeldLease lease = leases.find(lockId);
        Ttl wanted = Ttl.of(ttl);
        return lease != null
                ? lease.extendAsync(wanted)
                : store.extendAsync(null, lockId, wanted)
                        .thenApply(outcome -> outcome instanceof ExtendOutcome.Extended);
    }

    // ---- diagnostics

    /**
     * Tells whether a key is locked.
     *
     * @param key the raw key
     * @return whether it is
     */
    public boolean isLocked(String key) {
        return store.isLocked(key(key));
    }

    /**
     * Tells whether a key is locked, without a thread.
     *
     * @param key the raw key
     * @return whether it is, later
     */
    public CompletableFuture<Boolean> isLockedAsync(String key) {
        return store.isLockedAsync(key(key));
    }

    /**
     * Finds the lock of a key.
     *
     * @param key the raw key
     * @return the lock, raw
     */
    public Optional<RawLockInfo> find(String key) {
        return store.findByKey(key(key)).map(this::raw);
    }

    /**
     * Finds the lock of a lock id.
     *
     * @param lockId the lock id
     * @return the lock, raw
     */
    public Optional<RawLockInfo> find(LockId lockId) {
        ensureOpen();
        return store.findById(lockId).map(this::raw);
    }

    /**
     * Finds the lock of a key without a thread.
     *
     * @param key the raw key
     * @return the lock, raw, later
     */
    public CompletableFuture<Optional<RawLockInfo>> findAsync(String key) {
        return store.findByKeyAsync(key(key)).thenApply(found -> found.map(this::raw));
    }

    /**
     * Finds the lock of a lock id without a thread.
     *
     * @param lockId the lock id
     * @return the lock, raw, later
     */
    public CompletableFuture<Optional<RawLockInfo>> findAsync(LockId lockId) {
        ensureOpen();
        return store.findByIdAsync(lockId).thenApply(found -> found.map(this::raw));
    }

    private RawLockInfo raw(StoredLock lock) {
        LockInfo info = new LockInfo(
                settings.hash().hash(lock.key()),
                settings.hash().hash(lock.lockId().value()),
                lock.acquiredAtMs(),
                lock.expiresAtMs(),
                lock.fence());
        return new RawLockInfo(lock.key(), lock.lockId(), info);
    }

    // ---- the end

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        room.wakeAll();
        if (leases.count() > 0) {
            LOGGER.log(Level.WARNING, "closed while {0} leases were held: they end with their ttl", leases.count());
        }
        compensations.await(2 * store.backend().commandTimeout().toNanos());
        settings.time().close();
        workers.close();
        store.backend().close();
    }
}
