package dev.syncguard.telemetry;

import dev.syncguard.AbortSignal;
import dev.syncguard.KeyHash;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import dev.syncguard.telemetry.Recorder.Subject;
import dev.syncguard.telemetry.Recorder.Verdict;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A backend that tells a listener of each operation, including those of leases and renewals.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(TelemetryLockBackend.of(backend, event -> metrics.count(event)));
 * }</pre>
 */
public final class TelemetryLockBackend extends ForwardingLockBackend {

    private final EventQueue queue;
    private final Recorder recorder;

    TelemetryLockBackend(LockBackend backend, EventQueue queue, KeyHash hash) {
        super(backend);
        this.queue = queue;
        this.recorder = new Recorder(queue, hash);
    }

    /**
     * Wraps a backend with the defaults: hashes only.
     *
     * @param backend the backend; closed with this one
     * @param listener gets the events
     * @return the wrapped backend
     */
    public static TelemetryLockBackend of(LockBackend backend, LockEventListener listener) {
        return builder(backend, listener).build();
    }

    /**
     * Starts a wrapped backend with other settings.
     *
     * @param backend the backend; closed with the wrapped one
     * @param listener gets the events
     * @return a builder
     */
    public static TelemetryBuilder builder(LockBackend backend, LockEventListener listener) {
        return new TelemetryBuilder(backend, listener);
    }

    /**
     * Returns how many events were dropped because the listener was too slow.
     *
     * @return a count that only grows
     */
    public long droppedEvents() {
        return queue.dropped();
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return recorder.record(acquiring(request), Verdict::of, () -> target().acquire(request, signal));
    }

    @Override
    public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
        return recorder.record(
                about(LockEvent.Type.RELEASE, lockId), Verdict::of, () -> target().release(lockId, signal));
    }

    @Override
    public ExtendOutcome extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return recorder.record(
                about(LockEvent.Type.EXTEND, lockId), Verdict::of, () -> target().extend(lockId, ttl, signal));
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return recorder.<Boolean>record(
                about(LockEvent.Type.IS_LOCKED, key), Verdict::of, () -> target().isLocked(key, signal));
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return recorder.record(about(LockEvent.Type.LOOKUP, key), Verdict::of, () -> target().findByKey(key, signal));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return recorder.record(
                about(LockEvent.Type.LOOKUP, lockId), Verdict::of, () -> target().findById(lockId, signal));
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return target().async().map(Async::new);
    }

    /** Closes the backend, then delivers the events that are queued, for a second at most. */
    @Override
    public void close() {
        try {
            target().close();
        } finally {
            queue.close();
        }
    }

    private static Subject acquiring(AcquireRequest request) {
        return new Subject(LockEvent.Type.ACQUIRE, request.key(), request.lockId());
    }

    private static Subject about(LockEvent.Type type, LockKey key) {
        return new Subject(type, key, null);
    }

    private static Subject about(LockEvent.Type type, LockId lockId) {
        return new Subject(type, null, lockId);
    }

    private final class Async implements AsyncLockBackend {

        private final AsyncLockBackend async;

        Async(AsyncLockBackend async) {
            this.async = async;
        }

        @Override
        public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
            return recorder.recordAsync(acquiring(request), Verdict::of, () -> async.acquire(request, signal));
        }

        @Override
        public CompletionStage<ReleaseOutcome> release(LockId lockId, AbortSignal signal) {
            return recorder.recordAsync(
                    about(LockEvent.Type.RELEASE, lockId), Verdict::of, () -> async.release(lockId, signal));
        }

        @Override
        public CompletionStage<ExtendOutcome> extend(LockId lockId, Ttl ttl, AbortSignal signal) {
            return recorder.recordAsync(
                    about(LockEvent.Type.EXTEND, lockId), Verdict::of, () -> async.extend(lockId, ttl, signal));
        }

        @Override
        public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
            return recorder.<Boolean>recordAsync(
                    about(LockEvent.Type.IS_LOCKED, key), Verdict::of, () -> async.isLocked(key, signal));
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
            return recorder.recordAsync(
                    about(LockEvent.Type.LOOKUP, key), Verdict::of, () -> async.findByKey(key, signal));
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
            return recorder.recordAsync(
                    about(LockEvent.Type.LOOKUP, lockId), Verdict::of, () -> async.findById(lockId, signal));
        }
    }
}
