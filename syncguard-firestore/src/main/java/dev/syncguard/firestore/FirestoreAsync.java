package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.StartCheck;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The operations on the client's own asynchronous I/O; the blocking ones wait for these. */
final class FirestoreAsync implements AsyncLockBackend {

    private final FirestoreCollections collections;
    private final FirestoreCalls calls;
    private final FenceMode fenceMode;
    private final DrawnIds drawn;
    private final Releases releases = new Releases();
    private final FirestoreCleanup cleanup;
    private final StartCheck startCheck;

    FirestoreAsync(
            FirestoreCollections collections,
            FirestoreCalls calls,
            FenceMode fenceMode,
            DrawnIds drawn,
            FirestoreCleanup cleanup,
            StartCheck startCheck) {
        this.collections = collections;
        this.calls = calls;
        this.fenceMode = fenceMode;
        this.drawn = drawn;
        this.cleanup = cleanup;
        this.startCheck = startCheck;
    }

    @Override
    public CompletableFuture<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
        AcquireStep step = new AcquireStep(
                collections, calls.clock(), fenceMode, request, drawn.isOnlyFor(request.lockId(), request.key()));
        return calls.atomically(step, signal, request.ttl().nanos()).thenApply(outcome -> {
            startCheck.soon();
            if (outcome instanceof Granted granted) {
                FenceLimits.warnIfHigh(request.key(), granted.fence());
            }
            return outcome;
        });
    }

    @Override
    public CompletableFuture<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
        LockId lockId = request.lockId();
        ReleaseStep step = new ReleaseStep(collections, calls.clock(), lockId);
        return releases.send(lockId, () -> calls.atomically(step, signal)).thenApply(outcome -> {
            drawn.forget(lockId);
            return outcome;
        });
    }

    @Override
    public CompletableFuture<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
        ExtendStep step = new ExtendStep(collections, calls.clock(), request);
        return calls.atomically(step, signal, request.ttl().nanos());
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return readLock(key, signal, (reading, moment) -> {
            DocumentSnapshot snapshot = reading.documents().get(0);
            boolean locked = live(LockDocument.of(snapshot, key), moment).isPresent();
            cleanup.consider(snapshot, moment);
            return locked;
        });
    }

    @Override
    public CompletableFuture<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return readLock(
                key,
                signal,
                (reading, moment) -> live(LockDocument.of(reading.documents().get(0), key), moment));
    }

    @Override
    public CompletableFuture<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return calls.read(
                () -> collections.withLockId(lockId).get(),
                Reading::of,
                (reading, moment) ->
                        OwnLocks.of(reading, lockId, moment.sentMs()).live().map(LockDocument::lock),
                signal);
    }

    CompletableFuture<Fence> raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        return calls.atomically(new RaiseStep(collections, key, atLeast), signal);
    }

    private <T> CompletableFuture<T> readLock(LockKey key, AbortSignal signal, FirestoreCalls.Judge<T> judge) {
        return calls.read(() -> collections.lock(key).get(), Reading::of, judge, signal);
    }

    static Optional<StoredLock> live(Optional<LockDocument> found, Moment moment) {
        return found.map(LockDocument::lock).filter(lock -> Liveness.isLive(lock.expiresAtMs(), moment.sentMs()));
    }
}
