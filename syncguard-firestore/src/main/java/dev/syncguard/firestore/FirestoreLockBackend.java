package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.Capabilities;
import dev.syncguard.spi.Capabilities.TimeAuthority;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.FenceLimits;
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

/**
 * Locks in Cloud Firestore, on the application's own client.
 *
 * <pre>{@code SyncGuard guard = SyncGuard.of(FirestoreLockBackend.builder(firestore).build());}</pre>
 *
 * <p>Acquire, release and extend are one transaction each. The clocks of the clients decide when a lock ends, so they must
 * be synchronised: every transaction compares the local clock with Firestore's, and one that is off by 500 ms or more is
 * refused. {@link #close()} leaves the client open.
 */
public final class FirestoreLockBackend implements LockBackend {

    private static final Capabilities CAPABILITIES = new Capabilities("firestore", true, TimeAuthority.CLIENT);

    private final FirestoreCollections collections;
    private final FirestoreCalls calls;
    private final DrawnIds drawn = new DrawnIds();
    private final FirestoreAsync async;
    private final FirestoreReleaseSignals signals;

    FirestoreLockBackend(FirestoreLockBackendBuilder settings) {
        this.collections = FirestoreCollections.of(settings.firestore, settings.locks, settings.counters);
        this.calls = new FirestoreCalls(
                settings.firestore, new FirestoreClock(settings.clock, settings.clockLimit), settings.commandTimeout);
        this.async = new FirestoreAsync(
                collections, calls, settings.fenceMode, drawn, new FirestoreCleanup(settings.cleanupInIsLocked));
        this.signals = new FirestoreReleaseSignals(collections);
    }

    /**
     * Starts with the application's client. Nothing is sent before the first operation.
     *
     * @param firestore the client; it stays open when the backend is closed
     * @return a builder
     */
    public static FirestoreLockBackendBuilder builder(Firestore firestore) {
        return new FirestoreLockBackendBuilder(firestore);
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Duration commandTimeout() {
        return calls.timeout();
    }

    @Override
    public LockId newLockId(LockKey key) {
        return drawn.draw(key);
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return FirestoreCalls.await(async.acquire(request, signal));
    }

    @Override
    public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
        return FirestoreCalls.await(async.release(lockId, signal));
    }

    @Override
    public ExtendOutcome extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return FirestoreCalls.await(async.extend(lockId, ttl, signal));
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return FirestoreCalls.await(async.isLocked(key, signal));
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return FirestoreCalls.await(async.findByKey(key, signal));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return FirestoreCalls.await(async.findById(lockId, signal));
    }

    @Override
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        FenceLimits.raisable(atLeast);
        return FirestoreCalls.await(async.raiseFence(key, atLeast, signal));
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.of(async);
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return Optional.of(signals);
    }

    @Override
    public Optional<LockListing> listing() {
        return Optional.of(new FirestoreListing(collections, calls));
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return Optional.of(new FirestoreDiagnostics(collections, calls));
    }

    /** Waits for transactions that were answered before they ended, a command timeout at most. The client stays open. */
    @Override
    public void close() {
        signals.close();
        calls.open().awaitEnd(calls.timeout());
    }
}
