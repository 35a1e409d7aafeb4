package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.ExtendResult;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.Ttl;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Releases and extends by lock id: through this guard's own lease if it has one, else at the store. */
public final class ById {

    private final Store store;
    private final AsyncStore async;
    private final InFlight inFlight;
    private final Leases leases;
    private final Completion completion;

    ById(Store store, AsyncStore async, InFlight inFlight, Leases leases, Completion completion) {
        this.store = store;
        this.async = async;
        this.inFlight = inFlight;
        this.leases = leases;
        this.completion = completion;
    }

    /** Releases a lock on the caller's thread. */
    public boolean release(LockId lockId, AbortSignal signal) {
        signal.throwIfAborted();
        HeldLease lease = leases.find(lockId);
        return lease != null
                ? lease.release().release()
                : count(() -> store.release(new ReleaseRequest(lockId, null))) == ReleaseOutcome.RELEASED;
    }

    /** Releases a lock without a thread. */
    public CompletableFuture<Boolean> releaseAsync(LockId lockId, AbortSignal signal) {
        signal.throwIfAborted();
        HeldLease lease = leases.find(lockId);
        return completion.follow(
                lease != null
                        ? lease.release().releaseAsync()
                        : countAsync(() -> async.release(new ReleaseRequest(lockId, null)))
                                .thenApply(outcome -> outcome == ReleaseOutcome.RELEASED));
    }

    /** Extends a lock on the caller's thread. */
    public ExtendResult extend(LockId lockId, Ttl ttl, Mode mode, AbortSignal signal) {
        inFlight.ensureOpen();
        signal.throwIfAborted();
        HeldLease lease = leases.find(lockId);
        return lease != null
                ? lease.extension().extend(ttl, mode, signal)
                : result(count(() -> store.extend(new ExtendRequest(lockId, null, ttl, mode))));
    }

    /** Extends a lock without a thread. */
    public CompletableFuture<ExtendResult> extendAsync(LockId lockId, Ttl ttl, Mode mode, AbortSignal signal) {
        inFlight.ensureOpen();
        signal.throwIfAborted();
        HeldLease lease = leases.find(lockId);
        return completion.follow(
                lease != null
                        ? lease.extension().extendAsync(ttl, mode, signal)
                        : countAsync(() -> async.extend(new ExtendRequest(lockId, null, ttl, mode)))
                                .thenApply(ById::result));
    }

    private static ExtendResult result(ExtendOutcome outcome) {
        return outcome instanceof Extended extended
                ? new ExtendResult(true, extended.expiresAtMs())
                : ExtendResult.NOT_EXTENDED;
    }

    private <T> T count(Supplier<T> operation) {
        inFlight.begin();
        try {
            return operation.get();
        } catch (LockException e) {
            throw Failures.forCaller(e);
        } finally {
            inFlight.end();
        }
    }

    private <T> CompletableFuture<T> countAsync(Supplier<CompletableFuture<T>> operation) {
        inFlight.begin();
        return operation.get().whenComplete((outcome, failure) -> inFlight.end());
    }
}
