package dev.syncguard.benchmarks.harness;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.util.concurrent.CompletionStage;

/** A backend of this library without the facade: no lease, no waiting. */
public final class BackendCandidate implements Candidate {

    private final LockBackend backend;
    private final AutoCloseable beneath;

    public BackendCandidate(LockBackend backend) {
        this(backend, () -> {});
    }

    /** On something that is closed after the backend. */
    public BackendCandidate(LockBackend backend, AutoCloseable beneath) {
        this.backend = backend;
        this.beneath = beneath;
    }

    @Override
    public void locked(String key, Runnable body) {
        AcquireRequest request = request(key);
        check(backend.acquire(request, AbortSignal.none()));
        body.run();
        check(backend.release(new ReleaseRequest(request.lockId(), request.key()), AbortSignal.none()));
    }

    @Override
    public CompletionStage<?> cycleAsync(String key, long owner) {
        AsyncLockBackend async = backend.async().orElseThrow();
        AcquireRequest request = request(key);
        return async.acquire(request, AbortSignal.none())
                .thenCompose(outcome -> {
                    check(outcome);
                    return async.release(new ReleaseRequest(request.lockId(), request.key()), AbortSignal.none());
                })
                .thenAccept(BackendCandidate::check);
    }

    private AcquireRequest request(String key) {
        LockKey name = LockKey.of(key);
        LockId lockId = backend.newLockId(name);
        return new AcquireRequest(name, lockId, Ttl.of(GuardCandidate.TTL), false);
    }

    private static void check(AcquireOutcome outcome) {
        if (!(outcome instanceof Granted)) {
            throw new IllegalStateException("not granted");
        }
    }

    private static void check(ReleaseOutcome outcome) {
        if (outcome != ReleaseOutcome.RELEASED) {
            throw new IllegalStateException("not released");
        }
    }

    @Override
    public void close() {
        backend.close();
        Closing.unchecked(beneath);
    }
}
