package dev.syncguard.telemetry;

import dev.syncguard.AbortSignal;
import dev.syncguard.KeyHash;
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
import java.util.Optional;

/**
 * A backend that sends a listener each operation, and the life of each lease of the guard on it.
 *
 * <p>A loss is reported as {@link LockEvent.Type#LOST}. The {@code RELEASE} that may follow it is the store's answer.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(TelemetryLockBackend.of(backend, event -> metrics.count(event)));
 * }</pre>
 */
public final class TelemetryLockBackend extends ForwardingLockBackend {

    private final EventQueue queue;
    private final Recorder recorder;
    private final LeaseEvents leaseEvents;

    TelemetryLockBackend(LockBackend backend, EventQueue queue, KeyHash hash) {
        super(backend);
        Identifiers identifiers = new Identifiers(hash);
        this.queue = queue;
        this.recorder = new Recorder(queue, identifiers);
        this.leaseEvents = new LeaseEvents(queue, identifiers);
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
     * Returns how many events were dropped, because the listener was too slow or its thread could not be started.
     *
     * @return a count that only grows
     */
    public long droppedEvents() {
        return queue.dropped();
    }

    /**
     * Returns how many events failed in the listener. The first failure is logged.
     *
     * @return a count that only grows
     */
    public long failedEvents() {
        return queue.failed();
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return recorder.record(Subject.of(request), Verdict::of, () -> target().acquire(request, signal));
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return recorder.record(Subject.of(request), Verdict::of, () -> target().release(request, signal));
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return recorder.record(Subject.of(request), Verdict::of, () -> target().extend(request, signal));
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return recorder.<Boolean>record(Subject.isLocked(key), Verdict::of, () -> target().isLocked(key, signal));
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return recorder.record(Subject.lookup(key), Verdict::of, () -> target().findByKey(key, signal));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return recorder.record(Subject.lookup(lockId), Verdict::of, () -> target().findById(lockId, signal));
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return target().async().map(async -> new TelemetryAsync(async, recorder));
    }

    /** Returns an observer that sends the life of leases to the listener, and to the backend's own observer, if it has one. */
    @Override
    public Optional<LeaseObserver> leaseObserver() {
        return Optional.of(target().leaseObserver()
                .<LeaseObserver>map(leaseEvents::andThen)
                .orElse(leaseEvents));
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
}
