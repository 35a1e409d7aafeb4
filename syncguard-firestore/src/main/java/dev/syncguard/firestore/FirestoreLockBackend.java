package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.AbortSignal;
import dev.syncguard.Capabilities;
import dev.syncguard.Capabilities.TimeAuthority;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.StartCheck;
import java.time.Duration;
import java.util.Optional;

/**
 * Locks in Cloud Firestore, on the application's own client.
 *
 * <pre>{@code SyncGuard guard = SyncGuard.of(FirestoreLockBackend.builder(firestore).build());}</pre>
 *
 * <p>Acquire, release and extend are one atomic commit each, on condition that what they read has not changed. The clocks of
 * the clients decide when a lock expires, so they must be synchronised: every operation compares the local clock with
 * Firestore's, and one that is off by 500 ms or more is refused. {@link #close()} leaves the client open.
 */
public final class FirestoreLockBackend implements LockBackend {

    private static final Capabilities CAPABILITIES = new Capabilities("firestore", true, TimeAuthority.CLIENT, true);

    private final FirestoreCollections collections;
    private final FirestoreCalls calls;
    private final DrawnIds drawn = new DrawnIds();
    private final FirestoreDiagnostics diagnostics;
    private final StartCheck startCheck;
    private final FirestoreAsync async;
    private final FirestoreReleaseSignals signals;

    FirestoreLockBackend(FirestoreLockBackendBuilder settings) {
        this.collections =
                FirestoreCollections.of(settings.firestore, settings.locks, settings.counters, settings.mixedFleet);
        this.calls = new FirestoreCalls(
                settings.firestore, new FirestoreClock(settings.clock, settings.clockLimit), settings.commandTimeout);
        this.diagnostics = new FirestoreDiagnostics(collections, calls);
        this.startCheck =
                new StartCheck(settings.strict ? () -> diagnostics.strictly(AbortSignal.none()) : diagnostics::atStart);
        this.async = new FirestoreAsync(
                collections,
                calls,
                settings.fenceMode,
                drawn,
                new FirestoreCleanup(settings.cleanupInIsLocked),
                startCheck);
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

    StartCheck startCheck() {
        return startCheck;
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
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return FirestoreCalls.await(async.release(request, signal));
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return FirestoreCalls.await(async.extend(request, signal));
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
        return Optional.of(diagnostics);
    }

    /** Ends the listeners. The client stays open. */
    @Override
    public void close() {
        signals.close();
    }
}
