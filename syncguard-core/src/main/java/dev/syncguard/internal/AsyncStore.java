package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Timekeeper;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The backend without blocked callers: its own asynchronous operations, or blocking ones on the guard's threads.
 *
 * <p>Every stage completes ({@link AsyncCalls}), with a {@link LockException} for whatever the backend throws.
 */
final class AsyncStore {

    private final LockBackend backend;
    private final @Nullable AsyncLockBackend async;
    private final GuardThreads threads;
    private final AsyncCalls calls;

    AsyncStore(Store store, GuardThreads threads, Timekeeper time) {
        this.backend = store.backend();
        this.async = backend.async().orElse(null);
        this.threads = threads;
        this.calls = new AsyncCalls(async, time, 2 * store.commandTimeoutNanos() + 1_000_000_000L);
    }

    /** Returns whether requests wait for a thread before they are sent. */
    boolean queues() {
        return async == null;
    }

    /** Keeps the threads of renewals, if the store needs any. */
    void retainUpkeep() {
        if (async == null) {
            threads.upkeep().retain();
        }
    }

    void releaseUpkeep() {
        if (async == null) {
            threads.upkeep().release();
        }
    }

    /** A renewal has waited for a thread for long. */
    void growUpkeep() {
        if (async == null) {
            threads.upkeep().grow();
        }
    }

    /**
     * Asks for a lock.
     *
     * @param late hears of an answer that comes after its call was given up; the acquire knows whether a grant is wanted
     */
    CompletableFuture<AcquireOutcome> acquire(
            AcquireRequest request, AbortSignal signal, SendGate gate, Consumer<AcquireOutcome> late) {
        LockKey key = request.key();
        LockId lockId = request.lockId();
        if (async == null) {
            return calls.onThread(threads.acquires(), gate, key, lockId, () -> backend.acquire(request, signal), late);
        }
        gate.send();
        return calls.natively(key, lockId, async -> async.acquire(request, signal), late);
    }

    CompletableFuture<ReleaseOutcome> release(ReleaseRequest request) {
        return async == null
                ? calls.onThread(
                        threads.releases(),
                        request.key(),
                        request.lockId(),
                        () -> backend.release(request, AbortSignal.none()))
                : calls.natively(request.key(), request.lockId(), async -> async.release(request, AbortSignal.none()));
    }

    /** Extends on the threads that do nothing else, the earliest deadline first, repetitions last. */
    CompletableFuture<ExtendOutcome> renew(ExtendRequest request, long deadline, boolean repeated, SendGate gate) {
        if (async != null) {
            gate.send();
            return extend(request);
        }
        Executor upkeep = task -> threads.upkeep().execute(deadline, repeated, task);
        return calls.onThread(
                upkeep,
                gate,
                request.key(),
                request.lockId(),
                () -> backend.extend(request, AbortSignal.none()),
                late -> {});
    }

    /** Fails every call that is not answered: the guard is closed, and nothing would do it later. */
    void giveUp() {
        calls.giveUp();
    }

    /** Returns the keys of calls that are not answered. */
    Stream<LockKey> keysUnderWay() {
        return calls.keysUnderWay();
    }

    CompletableFuture<ExtendOutcome> extend(ExtendRequest request) {
        return async == null
                ? calls.onThread(
                        threads.releases(),
                        request.key(),
                        request.lockId(),
                        () -> backend.extend(request, AbortSignal.none()))
                : calls.natively(request.key(), request.lockId(), async -> async.extend(request, AbortSignal.none()));
    }

    CompletableFuture<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return async == null
                ? calls.onThread(threads.acquires(), key, null, () -> backend.isLocked(key, signal))
                : calls.natively(key, null, async -> async.isLocked(key, signal));
    }

    CompletableFuture<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return async == null
                ? calls.onThread(threads.acquires(), key, null, () -> backend.findByKey(key, signal))
                : calls.natively(key, null, async -> async.findByKey(key, signal));
    }

    CompletableFuture<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return async == null
                ? calls.onThread(threads.acquires(), null, lockId, () -> backend.findById(lockId, signal))
                : calls.natively(null, lockId, async -> async.findById(lockId, signal));
    }

    /** Runs anything that blocks on the threads of lookups. */
    <T> CompletableFuture<T> lookup(Supplier<T> operation) {
        return calls.onThread(threads.acquires(), null, null, operation);
    }
}
