package dev.syncguard.internal;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.internal.OverdueCalls.Call;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.Timekeeper;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out single calls of a backend, whichever they are.
 *
 * <p>Every stage completes: with a {@link LockException} for whatever the backend throws, and after a bound above the
 * command timeout if the backend never answers.
 */
final class AsyncCalls {

    private final @Nullable AsyncLockBackend async;
    private final Timekeeper time;
    private final OverdueCalls overdue;

    /**
     * Creates the calls of one guard.
     *
     * @param async the backend's own asynchronous operations, if it has any
     * @param limitNanos how long a call that was sent may go unanswered
     */
    AsyncCalls(@Nullable AsyncLockBackend async, Timekeeper time, long limitNanos) {
        this.async = async;
        this.time = time;
        this.overdue = new OverdueCalls(time, limitNanos);
    }

    /** Fails every call that is not answered. */
    void giveUp() {
        overdue.giveUp();
    }

    /** Returns the keys of calls that are not answered. */
    Stream<LockKey> keysUnderWay() {
        return overdue.keys();
    }

    <T> CompletableFuture<T> natively(
            @Nullable LockKey key, @Nullable LockId lockId, Function<AsyncLockBackend, CompletionStage<T>> operation) {
        return natively(key, lockId, operation, late -> {});
    }

    <T> CompletableFuture<T> natively(
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

    <T> CompletableFuture<T> onThread(
            Executor executor, @Nullable LockKey key, @Nullable LockId lockId, Supplier<T> operation) {
        return onThread(executor, new SendGate(), key, lockId, operation, late -> {});
    }

    <T> CompletableFuture<T> onThread(
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
