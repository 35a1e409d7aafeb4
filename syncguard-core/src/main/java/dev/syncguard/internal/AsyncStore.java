package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.internal.OverdueCalls.Call;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The backend without blocked callers: its own asynchronous operations, or blocking ones on the guard's threads.
 *
 * <p>Every stage completes: with a {@link LockException} for whatever the backend throws, and after a bound above the
 * command timeout if the backend never answers.
 */
final class AsyncStore {

    private final LockBackend backend;
    private final @Nullable AsyncLockBackend async;
    private final GuardThreads threads;
    private final Timekeeper time;
    private final OverdueCalls overdue;

    AsyncStore(Store store, GuardThreads threads, Timekeeper time) {
        this.backend = store.backend();
        this.async = backend.async().orElse(null);
        this.threads = threads;
        this.time = time;
        this.overdue = new OverdueCalls(time, 2 * store.commandTimeoutNanos() + 1_000_000_000L);
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
            return onThread(threads.acquires(), gate, key, lockId, () -> backend.acquire(request, signal), late);
        }
        gate.send();
        return natively(key, lockId, async -> async.acquire(request, signal), late);
    }

    CompletableFuture<ReleaseOutcome> release(ReleaseRequest request) {
        return async == null
                ? onThread(
                        threads.releases(),
                        request.key(),
                        request.lockId(),
                        () -> backend.release(request, AbortSignal.none()))
                : natively(request.key(), request.lockId(), async -> async.release(request, AbortSignal.none()));
    }

    /** Extends on the threads that do nothing else, the earliest deadline first, repetitions last. */
    CompletableFuture<ExtendOutcome> renew(ExtendRequest request, long deadline, boolean repeated, SendGate gate) {
        if (async != null) {
            gate.send();
            return extend(request);
        }
        Executor upkeep = task -> threads.upkeep().execute(deadline, repeated, task);
        return onThread(
                upkeep,
                gate,
                request.key(),
                request.lockId(),
                () -> backend.extend(request, AbortSignal.none()),
                late -> {});
    }

    /** Fails every call that is not answered: the guard is closed, and nothing would do it later. */
    void giveUp() {
        overdue.giveUp();
    }

    /** Returns the keys of calls that are not answered. */
    Stream<LockKey> keysUnderWay() {
        return overdue.keys();
    }

    CompletableFuture<ExtendOutcome> extend(ExtendRequest request) {
        return async == null
                ? onThread(
                        threads.releases(),
                        request.key(),
                        request.lockId(),
                        () -> backend.extend(request, AbortSignal.none()))
                : natively(request.key(), request.lockId(), async -> async.extend(request, AbortSignal.none()));
    }

    CompletableFuture<Boolean> isLocked(LockKey key, AbortSignal signal) {
        return async == null
                ? onThread(threads.acquires(), key, null, () -> backend.isLocked(key, signal))
                : natively(key, null, async -> async.isLocked(key, signal));
    }

    CompletableFuture<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
        return async == null
                ? onThread(threads.acquires(), key, null, () -> backend.findByKey(key, signal))
                : natively(key, null, async -> async.findByKey(key, signal));
    }

    CompletableFuture<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
        return async == null
                ? onThread(threads.acquires(), null, lockId, () -> backend.findById(lockId, signal))
                : natively(null, lockId, async -> async.findById(lockId, signal));
    }

    /** Runs anything that blocks on the threads of lookups. */
    <T> CompletableFuture<T> lookup(Supplier<T> operation) {
        return onThread(threads.acquires(), null, null, operation);
    }

    private <T> CompletableFuture<T> natively(
            @Nullable LockKey key, @Nullable LockId lockId, Function<AsyncLockBackend, CompletionStage<T>> operation) {
        return natively(key, lockId, operation, late -> {});
    }

    private <T> CompletableFuture<T> natively(
            @Nullable LockKey key,
            @Nullable LockId lockId,
            Function<AsyncLockBackend, CompletionStage<T>> operation,
            Consumer<T> late) {
        return begun(SendGate.SENT, key, lockId, () -> {
            Call<T> call = overdue.begin(SendGate.SENT, key, lockId);
            try {
                CompletionStage<T> stage = operation.apply(Objects.requireNonNull(async));
                stage.whenComplete((value, failure) -> answer(call, value, failure, late));
            } catch (Throwable e) {
                call.fail(e);
            }
            return overdue.watch(call);
        });
    }

    /** A call that fails before it can be sent, or watched, for lack of memory is a failed one like any other. */
    private static <T> CompletableFuture<T> begun(
            SendGate gate, @Nullable LockKey key, @Nullable LockId lockId, Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            gate.callBack(); // nothing waits for it any more
            return CompletableFuture.failedFuture(Failures.translate(e, key, lockId));
        }
    }

    private <T> CompletableFuture<T> onThread(
            Executor executor, @Nullable LockKey key, @Nullable LockId lockId, Supplier<T> operation) {
        return onThread(executor, new SendGate(), key, lockId, operation, late -> {});
    }

    private <T> CompletableFuture<T> onThread(
            Executor executor,
            SendGate gate,
            @Nullable LockKey key,
            @Nullable LockId lockId,
            Supplier<T> operation,
            Consumer<T> late) {
        return begun(gate, key, lockId, () -> {
            Call<T> call = overdue.begin(gate, key, lockId);
            try {
                time.execute(executor, () -> {
                    if (gate.send()) {
                        run(call, operation, late);
                    } else {
                        overdue.forget(call); // called back: no answer will come
                    }
                });
            } catch (Throwable e) {
                // Rejected, or out of threads: the task may even be queued, but it is called back.
                if (gate.callBack()) {
                    call.fail(new LockException(
                            Code.RATE_LIMITED, "no thread for this operation: too many are queued", e));
                }
            }
            return overdue.watch(call);
        });
    }

    private <T> void run(Call<T> call, Supplier<T> operation, Consumer<T> late) {
        T value;
        try {
            value = operation.get();
        } catch (Throwable e) {
            answer(call, null, e, late);
            return;
        }
        answer(call, value, null, late);
    }

    private <T> void answer(Call<T> call, @Nullable T value, @Nullable Throwable failure, Consumer<T> late) {
        overdue.forget(call);
        if (failure != null) {
            call.fail(failure);
        } else if (value == null) {
            call.fail(new NullPointerException("the backend returned null"));
        } else if (!call.complete(value)) {
            late.accept(value);
        }
    }
}
