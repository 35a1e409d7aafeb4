package dev.syncguard;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The two ways to use a guard: a thread that blocks, and stages. A scenario that holds for one holds for both. */
enum Driver {
    BLOCKING {
        @Override
        CompletableFuture<Lease> acquire(SyncGuard guard, String key, LockOptions options, AbortSignal signal) {
            return Blocked.start(() -> guard.acquire(key, options, signal));
        }

        @Override
        CompletableFuture<AcquireResult> tryAcquire(SyncGuard guard, String key, LockOptions options) {
            return Blocked.start(() -> guard.tryAcquire(key, options));
        }

        @Override
        <T> CompletableFuture<T> call(
                SyncGuard guard, String key, LockOptions options, AbortSignal signal, Function<Lease, T> body) {
            LockedFunction<T, RuntimeException> work = body::apply;
            return Blocked.start(() -> guard.call(key, options, signal, work));
        }

        @Override
        CompletableFuture<Integer> repeat(int times, SyncGuard guard, String key, LockOptions options, Runnable body) {
            return Blocked.start(() -> {
                for (int i = 0; i < times; i++) {
                    guard.run(key, options, lease -> body.run());
                }
                return times;
            });
        }

        @Override
        CompletableFuture<ExtendResult> extend(Lease lease, Duration ttl) {
            return Blocked.start(() -> lease.extend(ttl));
        }

        @Override
        CompletableFuture<ExtendResult> extendAtLeast(Lease lease, Duration ttl) {
            return Blocked.start(() -> lease.extendAtLeast(ttl));
        }

        @Override
        CompletableFuture<Boolean> release(Lease lease) {
            return Blocked.start(lease::release);
        }

        @Override
        CompletableFuture<Boolean> close(Lease lease) {
            return Blocked.start(() -> {
                lease.close();
                return true;
            });
        }
    },
    ASYNCHRONOUS {
        @Override
        CompletableFuture<Lease> acquire(SyncGuard guard, String key, LockOptions options, AbortSignal signal) {
            return guard.async().acquire(key, options, signal).toCompletableFuture();
        }

        @Override
        CompletableFuture<AcquireResult> tryAcquire(SyncGuard guard, String key, LockOptions options) {
            return guard.async().tryAcquire(key, options).toCompletableFuture();
        }

        @Override
        <T> CompletableFuture<T> call(
                SyncGuard guard, String key, LockOptions options, AbortSignal signal, Function<Lease, T> body) {
            return guard.async()
                    .call(key, options, signal, lease -> CompletableFuture.completedStage(body.apply(lease)))
                    .toCompletableFuture();
        }

        @Override
        CompletableFuture<Integer> repeat(int times, SyncGuard guard, String key, LockOptions options, Runnable body) {
            CompletableFuture<Integer> end = new CompletableFuture<>();
            next(
                    times,
                    end,
                    () -> guard.async()
                            .run(
                                    key,
                                    options,
                                    lease -> CompletableFuture.completedStage(lease)
                                            .thenAccept(l -> body.run())));
            return end.thenApply(done -> times);
        }

        private static void next(int left, CompletableFuture<Integer> end, Supplier<CompletionStage<?>> call) {
            if (left == 0) {
                end.complete(0);
                return;
            }
            call.get().whenComplete((done, failure) -> {
                if (failure != null) {
                    end.completeExceptionally(failure);
                } else {
                    next(left - 1, end, call);
                }
            });
        }

        @Override
        CompletableFuture<ExtendResult> extend(Lease lease, Duration ttl) {
            return lease.extendAsync(ttl).toCompletableFuture();
        }

        @Override
        CompletableFuture<ExtendResult> extendAtLeast(Lease lease, Duration ttl) {
            return lease.extendAtLeastAsync(ttl).toCompletableFuture();
        }

        @Override
        CompletableFuture<Boolean> release(Lease lease) {
            return lease.releaseAsync().toCompletableFuture();
        }

        @Override
        CompletableFuture<Boolean> close(Lease lease) {
            return lease.closeAsync().toCompletableFuture().thenApply(done -> true);
        }
    };

    abstract CompletableFuture<Lease> acquire(SyncGuard guard, String key, LockOptions options, AbortSignal signal);

    final CompletableFuture<Lease> acquire(SyncGuard guard, String key, LockOptions options) {
        return acquire(guard, key, options, AbortSignal.none());
    }

    abstract CompletableFuture<AcquireResult> tryAcquire(SyncGuard guard, String key, LockOptions options);

    abstract <T> CompletableFuture<T> call(
            SyncGuard guard, String key, LockOptions options, AbortSignal signal, Function<Lease, T> body);

    /** Runs a body under the lock, one time after the other. */
    abstract CompletableFuture<Integer> repeat(
            int times, SyncGuard guard, String key, LockOptions options, Runnable body);

    abstract CompletableFuture<ExtendResult> extend(Lease lease, Duration ttl);

    abstract CompletableFuture<ExtendResult> extendAtLeast(Lease lease, Duration ttl);

    abstract CompletableFuture<Boolean> release(Lease lease);

    abstract CompletableFuture<Boolean> close(Lease lease);
}
