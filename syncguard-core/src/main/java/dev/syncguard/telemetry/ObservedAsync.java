package dev.syncguard.telemetry;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The operations without a blocked thread, observed. */
final class ObservedAsync implements AsyncLockBackend {

    private final AsyncLockBackend async;
    private final Recorder recorder;

    ObservedAsync(AsyncLockBackend async, Recorder recorder) {
        this.async = async;
        this.recorder = recorder;
    }

    @Override
    public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
        return recorder.recordAsync(Subject.of(request), Verdict::of, () -> async.acquire(request, signal));
    }

    @Override
    public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
        return recorder.recordAsync(Subject.of(request), Verdict::of, () -> async.release(request, signal));
    }

    @Override
    public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
        return recorder.recordAsync(Subject.of(request), Verdict::of, () -> async.extend(request, signal));
    }

    @Override
    public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return recorder.<Boolean>recordAsync(Subject.isLocked(key), Verdict::of, () -> async.isLocked(key, signal));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return recorder.recordAsync(Subject.lookup(key), Verdict::of, () -> async.findByKey(key, signal));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return recorder.recordAsync(Subject.lookup(lockId), Verdict::of, () -> async.findById(lockId, signal));
    }
}
