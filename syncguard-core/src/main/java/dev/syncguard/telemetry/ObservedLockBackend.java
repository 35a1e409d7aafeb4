package dev.syncguard.telemetry;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseObserver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.Settings;
import java.util.Optional;

/** A backend that shows an observer each operation, and the life of each lease of the guard on it. */
public class ObservedLockBackend extends ForwardingLockBackend {

    private final LockObserver observer;
    private final Recorder recorder;

    /**
     * Wraps a backend.
     *
     * @param backend the backend; closed with this one
     * @param observer sees everything
     */
    protected ObservedLockBackend(LockBackend backend, LockObserver observer) {
        super(Settings.required("backend", backend));
        this.observer = Settings.required("observer", observer);
        this.recorder = new Recorder(observer);
    }

    /**
     * Wraps a backend.
     *
     * @param backend the backend; closed with the wrapped one
     * @param observer sees everything
     * @return the wrapped backend
     */
    public static ObservedLockBackend of(LockBackend backend, LockObserver observer) {
        return new ObservedLockBackend(backend, observer);
    }

    @Override
    public final AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return recorder.record(Subject.of(request), Verdict::of, () -> target().acquire(request, signal));
    }

    @Override
    public final ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return recorder.record(Subject.of(request), Verdict::of, () -> target().release(request, signal));
    }

    @Override
    public final ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return recorder.record(Subject.of(request), Verdict::of, () -> target().extend(request, signal));
    }

    @Override
    public final boolean isLocked(LockKey key, AbortSignal signal) {
        return recorder.<Boolean>record(Subject.isLocked(key), Verdict::of, () -> target().isLocked(key, signal));
    }

    @Override
    public final Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return recorder.record(Subject.lookup(key), Verdict::of, () -> target().findByKey(key, signal));
    }

    @Override
    public final Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return recorder.record(Subject.lookup(lockId), Verdict::of, () -> target().findById(lockId, signal));
    }

    @Override
    public final Optional<AsyncLockBackend> async() {
        return target().async().map(async -> new ObservedAsync(async, recorder));
    }

    /** Returns the observer, together with the backend's own, if it has one. */
    @Override
    public final Optional<LeaseObserver> leaseObserver() {
        return Optional.of(
                target().leaseObserver().<LeaseObserver>map(observer::andThen).orElse(observer));
    }
}
