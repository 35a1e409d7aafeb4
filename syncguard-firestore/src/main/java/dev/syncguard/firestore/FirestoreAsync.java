package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The operations on the client's own asynchronous I/O; the blocking ones wait for these. */
final class FirestoreAsync implements AsyncLockBackend {

    private final FirestoreCollections collections;
    private final FirestoreCalls calls;
    private final FenceMode fenceMode;
    private final DrawnIds drawn;
    private final FirestoreCleanup cleanup;

    FirestoreAsync(
            FirestoreCollections collections,
            FirestoreCalls calls,
            FenceMode fenceMode,
            DrawnIds drawn,
            FirestoreCleanup cleanup) {
        this.collections = collections;
        this.calls = calls;
        this.fenceMode = fenceMode;
        this.drawn = drawn;
        this.cleanup = cleanup;
    }

    @Override
    public CompletableFuture<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
        AcquireStep step = new AcquireStep(
                collections, calls.clock(), fenceMode, request, drawn.isOnlyFor(request.lockId(), request.key()));
        return calls.transaction(step, signal, request.ttl().nanos()).thenApply(outcome -> {
            if (outcome instanceof Granted granted) {
                FenceLimits.warnIfHigh(request.key(), granted.fence());
            }
            return outcome;
        });
    }

    @Override
    public CompletableFuture<ReleaseOutcome> release(LockId lockId, AbortSignal signal) {
        return calls.transaction(new ReleaseStep(collections, calls.clock(), lockId), signal)
                .thenApply(outcome -> {
                    drawn.forget(lockId);
                    return outcome;
                });
    }

    @Override
    public CompletableFuture<ExtendOutcome> extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return calls.transaction(new ExtendStep(collections, calls.clock(), lockId, ttl), signal, ttl.nanos());
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return readLock(key, signal, (reading, moment) -> {
            DocumentSnapshot snapshot = reading.documents().get(0);
            cleanup.consider(snapshot, moment);
            return live(snapshot, moment).isPresent();
        });
    }

    @Override
    public CompletableFuture<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return readLock(
                key, signal, (reading, moment) -> live(reading.documents().get(0), moment));
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
        return calls.transaction(new RaiseStep(collections.counter(key), atLeast), signal);
    }

    private <T> CompletableFuture<T> readLock(LockKey key, AbortSignal signal, FirestoreCalls.Judge<T> judge) {
        DocumentReference lock = collections.lock(key);
        return calls.read(lock::get, Reading::of, judge, signal);
    }

    static Optional<StoredLock> live(DocumentSnapshot snapshot, Moment moment) {
        return LockDocument.of(snapshot)
                .map(LockDocument::lock)
                .filter(lock -> Liveness.isLive(lock.expiresAtMs(), moment.sentMs()));
    }
}
