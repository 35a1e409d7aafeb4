package dev.syncguard.internal;

import dev.syncguard.KeyHash;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.Timekeeper;
import dev.syncguard.spi.Ttl;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
    private final Acquiring acquiring = new Acquiring(this);
    private final Lookups lookups = new Lookups(this);
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

    @Nullable
    Duration disposeTimeout() {
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

    /**
     * Returns the verbs that get locks.
     *
     * @return acquire, try, call
     */
    public Acquiring acquiring() {
        return acquiring;
    }

    /**
     * Returns the verbs that look at locks.
     *
     * @return isLocked and find
     */
    public Lookups lookups() {
        return lookups;
    }

    KeyHash hash() {
        return settings.hash();
    }

    boolean isClosed() {
        return closed.get();
    }

    void ensureOpen() {
        if (isClosed()) {
            throw new IllegalStateException("this SyncGuard is closed");
        }
    }

    LockKey key(String key) {
        ensureOpen();
        return LockKey.of(key, settings.hash());
    }

    /** Makes a grant into a lease that this guard knows. */
    HeldLease hold(Acquisition acquisition, Granted granted, long dispatched, long deadline) {
        HeldLease lease = new HeldLease(this, acquisition.key(), acquisition.options(), granted, dispatched, deadline);
        leases.add(lease);
        lease.start();
        return lease;
    }

    void warnIfHeldBy(Thread thread, LockKey key) {
        FenceMemory.Seen seen = fences.recall(key);
        HeldLease lease = seen == null ? null : leases.find(seen.lockId());
        if (lease != null && lease.isBelieved() && lease.wasAcquiredBy(thread) && lease.isFirstWarning()) {
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

    void lost(HeldLease lease, LeaseLostException loss) {
        leases.remove(lease);
        LOGGER.log(Level.WARNING, loss.getMessage());
        lease.options().onLost().ifPresent(handler -> workers.callback("onLost", () -> handler.accept(loss)));
    }

    void releaseFailed(HeldLease lease, LockException failure) {
        leases.remove(lease);
        Consumer<LockException> handler = lease.options().onReleaseError().orElse(settings.onReleaseError());
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
    public CompletionStage<Boolean> releaseAsync(LockId lockId) {
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
    public CompletionStage<Boolean> extendAsync(LockId lockId, Duration ttl) {
        ensureOpen();
        HeldLease lease = leases.find(lockId);
        Ttl wanted = Ttl.of(ttl);
        return lease != null
                ? lease.extendAsync(wanted)
                : store.extendAsync(null, lockId, wanted)
                        .thenApply(outcome -> outcome instanceof ExtendOutcome.Extended);
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
