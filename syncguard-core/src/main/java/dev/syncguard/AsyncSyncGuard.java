package dev.syncguard;

import static dev.syncguard.Arguments.required;

import dev.syncguard.internal.Guard;
import dev.syncguard.spi.ExtendRequest.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of {@link SyncGuard} without a blocked thread, also while waiting.
 *
 * <p>Every failure is in the stage. Cancelling a stage of {@code acquire}, {@code run} or {@code call} cancels the wait, as an
 * {@link AbortSignal} does; a lease that can no longer be delivered is released. Stages complete on the completion executor
 * ({@link SyncGuardBuilder#executor}), so continuations may block without harm to any lease.
 */
public final class AsyncSyncGuard {

    private final Guard guard;

    AsyncSyncGuard(Guard guard) {
        this.guard = guard;
    }

    /**
     * Returns the options of calls without options, to derive others from.
     *
     * @return as {@link SyncGuard#options()}
     */
    public LockOptions options() {
        return guard.defaults();
    }

    /**
     * Waits for the lock, does the work, and releases the lock when the work's stage completes.
     *
     * @param key what to lock
     * @param body the work
     * @return completes after the release, or fails as {@link SyncGuard#run(String, LockedAction)}
     */
    public CompletionStage<@Nullable Void> run(String key, Function<Lease, ? extends CompletionStage<?>> body) {
        return run(key, guard.defaults(), body);
    }

    /**
     * Waits for the lock, does the work, and releases the lock when the work's stage completes.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @return completes after the release, or fails as {@link SyncGuard#run(String, LockedAction)}
     */
    public CompletionStage<@Nullable Void> run(
            String key, LockOptions options, Function<Lease, ? extends CompletionStage<?>> body) {
        return run(key, options, AbortSignal.none(), body);
    }

    /**
     * Waits for the lock, does the work, and releases the lock when the work's stage completes.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body the work
     * @return completes after the release, or fails as {@link SyncGuard#run(String, LockedAction)}
     */
    public CompletionStage<@Nullable Void> run(
            String key, LockOptions options, AbortSignal signal, Function<Lease, ? extends CompletionStage<?>> body) {
        return inStage(() -> guard.calls()
                .callAsync(
                        guard.key(key),
                        required("options", options),
                        required("signal", signal),
                        withoutResult(required("body", body))));
    }

    /**
     * Waits for the lock, does the work, and releases the lock when the work's stage completes.
     *
     * @param key what to lock
     * @param body the work
     * @param <T> its result
     * @return the result, after the release, or fails as {@link SyncGuard#call(String, LockedFunction)}
     */
    public <T extends @Nullable Object> CompletionStage<T> call(String key, Function<Lease, CompletionStage<T>> body) {
        return call(key, guard.defaults(), body);
    }

    /**
     * Waits for the lock, does the work, and releases the lock when the work's stage completes.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @param <T> its result
     * @return the result, after the release, or fails as {@link SyncGuard#call(String, LockedFunction)}
     */
    public <T extends @Nullable Object> CompletionStage<T> call(
            String key, LockOptions options, Function<Lease, CompletionStage<T>> body) {
        return call(key, options, AbortSignal.none(), body);
    }

    /**
     * Waits for the lock, does the work, and releases the lock when the work's stage completes.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body the work
     * @param <T> its result
     * @return the result, after the release, or fails as {@link SyncGuard#call(String, LockedFunction)}
     */
    public <T extends @Nullable Object> CompletionStage<T> call(
            String key, LockOptions options, AbortSignal signal, Function<Lease, CompletionStage<T>> body) {
        return inStage(() -> guard.calls()
                .callAsync(
                        guard.key(key),
                        required("options", options),
                        required("signal", signal),
                        required("body", body)));
    }

    /**
     * Waits for the lock.
     *
     * @param key what to lock
     * @return the lease, to be released, or fails as {@link SyncGuard#acquire(String)}
     */
    public CompletionStage<Lease> acquire(String key) {
        return acquire(key, guard.defaults());
    }

    /**
     * Waits for the lock.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @return the lease, to be released, or fails as {@link SyncGuard#acquire(String)}
     */
    public CompletionStage<Lease> acquire(String key, LockOptions options) {
        return acquire(key, options, AbortSignal.none());
    }

    /**
     * Waits for the lock.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @return the lease, to be released, or fails as {@link SyncGuard#acquire(String)}
     */
    public CompletionStage<Lease> acquire(String key, LockOptions options, AbortSignal signal) {
        return inStage(() ->
                guard.calls().acquireAsync(guard.key(key), required("options", options), required("signal", signal)));
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @return a {@link Lease}, to be released, or {@link Contended}
     */
    @CheckReturnValue
    public CompletionStage<AcquireResult> tryAcquire(String key) {
        return tryAcquire(key, guard.defaults());
    }

    /**
     * Waits for the lock for some time, otherwise as the defaults of this guard say: a {@link LockOptions#maxRetries} that
     * they set still limits the polls.
     *
     * @param key what to lock
     * @param waitAtMost 0 to 365 days; 0 tries once
     * @return a {@link Lease}, to be released, or {@link Contended} if the lock was not free in time
     */
    @CheckReturnValue
    public CompletionStage<AcquireResult> tryAcquire(String key, Duration waitAtMost) {
        return tryAcquire(key, waitAtMost, AbortSignal.none());
    }

    /**
     * Waits for the lock for some time; see {@link #tryAcquire(String, Duration)}.
     *
     * @param key what to lock
     * @param waitAtMost 0 to 365 days; 0 tries once
     * @param signal cancels the wait
     * @return a {@link Lease}, to be released, or {@link Contended} if the lock was not free in time
     */
    @CheckReturnValue
    public CompletionStage<AcquireResult> tryAcquire(String key, Duration waitAtMost, AbortSignal signal) {
        return inStage(() -> guard.calls()
                .tryAcquireAsync(guard.key(key), guard.defaults().waitAtMost(waitAtMost), required("signal", signal)));
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @param options how to hold it
     * @return a {@link Lease}, to be released, or {@link Contended}
     */
    @CheckReturnValue
    public CompletionStage<AcquireResult> tryAcquire(String key, LockOptions options) {
        return tryAcquire(key, options, AbortSignal.none());
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @param options how to hold it
     * @param signal cancels before the request is sent
     * @return a {@link Lease}, to be released, or {@link Contended}
     */
    @CheckReturnValue
    public CompletionStage<AcquireResult> tryAcquire(String key, LockOptions options, AbortSignal signal) {
        return inStage(() -> guard.calls()
                .tryAcquireAsync(guard.key(key), required("options", options).once(), required("signal", signal)));
    }

    /**
     * Releases a lock by its id; for leases of this guard the same as {@link Lease#releaseAsync()}.
     *
     * @param lockId the lock id
     * @return whether this call released it
     */
    public CompletionStage<Boolean> release(LockId lockId) {
        return release(lockId, AbortSignal.none());
    }

    /**
     * Releases a lock by its id; for leases of this guard the same as {@link Lease#releaseAsync()}.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return whether this call released it
     */
    public CompletionStage<Boolean> release(LockId lockId, AbortSignal signal) {
        return inStage(() -> guard.byId().releaseAsync(required("lockId", lockId), required("signal", signal)));
    }

    /**
     * Extends a lock by its id, as {@link SyncGuard#extend(LockId, Duration)}.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the expiry; not ok if the lock was not live
     */
    public CompletionStage<ExtendResult> extend(LockId lockId, Duration ttl) {
        return extend(lockId, ttl, AbortSignal.none());
    }

    /**
     * Extends a lock by its id, as {@link SyncGuard#extend(LockId, Duration)}.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return the expiry; not ok if the lock was not live
     */
    public CompletionStage<ExtendResult> extend(LockId lockId, Duration ttl, AbortSignal signal) {
        return inStage(() -> guard.byId()
                .extendAsync(required("lockId", lockId), Ttl.of(ttl), Mode.REPLACE, required("signal", signal)));
    }

    /**
     * Extends a lock by its id, as {@link SyncGuard#extendAtLeast(LockId, Duration)}.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the expiry; not ok if the lock was not live
     */
    public CompletionStage<ExtendResult> extendAtLeast(LockId lockId, Duration ttl) {
        return extendAtLeast(lockId, ttl, AbortSignal.none());
    }

    /**
     * Extends a lock by its id, as {@link SyncGuard#extendAtLeast(LockId, Duration)}.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return the expiry; not ok if the lock was not live
     */
    public CompletionStage<ExtendResult> extendAtLeast(LockId lockId, Duration ttl, AbortSignal signal) {
        return inStage(() -> guard.byId()
                .extendAsync(required("lockId", lockId), Ttl.of(ttl), Mode.AT_LEAST, required("signal", signal)));
    }

    /**
     * Returns whether a lock is held.
     *
     * @param key the key
     * @return whether it is locked
     */
    public CompletionStage<Boolean> isLocked(String key) {
        return isLocked(key, AbortSignal.none());
    }

    /**
     * Returns whether a lock is held.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return whether it is locked
     */
    public CompletionStage<Boolean> isLocked(String key, AbortSignal signal) {
        return inStage(() -> guard.lookups().isLockedAsync(guard.key(key), required("signal", signal)));
    }

    /**
     * Returns whether a lock id still holds its lock. For diagnostics: release and extend check for themselves.
     *
     * @param lockId the lock id
     * @return whether it is live
     */
    public CompletionStage<Boolean> owns(LockId lockId) {
        return owns(lockId, AbortSignal.none());
    }

    /**
     * Returns whether a lock id still holds its lock. For diagnostics: release and extend check for themselves.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return whether it is live
     */
    public CompletionStage<Boolean> owns(LockId lockId, AbortSignal signal) {
        return lookup(lockId, signal).thenApply(Optional::isPresent);
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the key
     * @return the live lock, without raw identifiers
     */
    public CompletionStage<Optional<LockInfo>> lookup(String key) {
        return lookup(key, AbortSignal.none());
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return the live lock, without raw identifiers
     */
    public CompletionStage<Optional<LockInfo>> lookup(String key, AbortSignal signal) {
        return lookupRaw(key, signal).thenApply(found -> found.map(RawLockInfo::info));
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId the lock id
     * @return the live lock, without raw identifiers
     */
    public CompletionStage<Optional<LockInfo>> lookup(LockId lockId) {
        return lookup(lockId, AbortSignal.none());
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return the live lock, without raw identifiers
     */
    public CompletionStage<Optional<LockInfo>> lookup(LockId lockId, AbortSignal signal) {
        return lookupRaw(lockId, signal).thenApply(found -> found.map(RawLockInfo::info));
    }

    /**
     * Looks up the lock of a key with its raw identifiers, for debugging.
     *
     * @param key the key
     * @return the live lock; its lock id is the right to release it
     */
    public CompletionStage<Optional<RawLockInfo>> lookupRaw(String key) {
        return lookupRaw(key, AbortSignal.none());
    }

    /**
     * Looks up the lock of a key with its raw identifiers, for debugging.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return the live lock; its lock id is the right to release it
     */
    public CompletionStage<Optional<RawLockInfo>> lookupRaw(String key, AbortSignal signal) {
        return inStage(() -> guard.lookups().findAsync(guard.key(key), required("signal", signal)));
    }

    /**
     * Looks up the lock of a lock id with its raw identifiers, for debugging.
     *
     * @param lockId the lock id
     * @return the live lock; its lock id is the right to release it
     */
    public CompletionStage<Optional<RawLockInfo>> lookupRaw(LockId lockId) {
        return lookupRaw(lockId, AbortSignal.none());
    }

    /**
     * Looks up the lock of a lock id with its raw identifiers, for debugging.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return the live lock; its lock id is the right to release it
     */
    public CompletionStage<Optional<RawLockInfo>> lookupRaw(LockId lockId, AbortSignal signal) {
        return inStage(() -> guard.lookups().findAsync(required("lockId", lockId), required("signal", signal)));
    }

    /**
     * Inspects the settings of the store.
     *
     * @return as {@link SyncGuard#diagnostics()}
     */
    public CompletionStage<List<Finding>> diagnostics() {
        return diagnostics(AbortSignal.none());
    }

    /**
     * Inspects the settings of the store.
     *
     * @param signal cancels before the request is sent
     * @return as {@link SyncGuard#diagnostics()}
     */
    public CompletionStage<List<Finding>> diagnostics(AbortSignal signal) {
        return inStage(() -> {
            required("signal", signal);
            return guard.lookups().onThread(() -> guard.lookups().diagnostics(signal));
        });
    }

    /**
     * Lists the live locks of the store, page by page.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @return a page, without raw identifiers but for its cursor, which may be a key
     */
    public CompletionStage<LockPage<LockInfo>> listing(@Nullable String cursor, int limit) {
        return listing(cursor, limit, AbortSignal.none());
    }

    /**
     * Lists the live locks of the store, page by page.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @param signal cancels before the request is sent
     * @return a page, without raw identifiers but for its cursor, which may be a key
     */
    public CompletionStage<LockPage<LockInfo>> listing(@Nullable String cursor, int limit, AbortSignal signal) {
        return listingRaw(cursor, limit, signal).thenApply(page -> page.map(RawLockInfo::info));
    }

    /**
     * Lists the live locks of the store with their raw identifiers, for debugging.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @return a page
     */
    public CompletionStage<LockPage<RawLockInfo>> listingRaw(@Nullable String cursor, int limit) {
        return listingRaw(cursor, limit, AbortSignal.none());
    }

    /**
     * Lists the live locks of the store with their raw identifiers, for debugging.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @param signal cancels before the request is sent
     * @return a page
     */
    public CompletionStage<LockPage<RawLockInfo>> listingRaw(@Nullable String cursor, int limit, AbortSignal signal) {
        return inStage(() -> {
            required("signal", signal);
            return guard.lookups().onThread(() -> guard.lookups().listing(cursor, limit, signal));
        });
    }

    /**
     * Raises the fence counter of a key.
     *
     * @param key the key
     * @param atLeast the highest fence that may have been granted
     * @return as {@link SyncGuard#raiseFence}
     */
    public CompletionStage<Fence> raiseFence(String key, Fence atLeast) {
        return raiseFence(key, atLeast, AbortSignal.none());
    }

    /**
     * Raises the fence counter of a key.
     *
     * @param key the key
     * @param atLeast the highest fence that may have been granted
     * @param signal cancels before the request is sent
     * @return as {@link SyncGuard#raiseFence}
     */
    public CompletionStage<Fence> raiseFence(String key, Fence atLeast, AbortSignal signal) {
        return inStage(() -> {
            LockKey checked = guard.key(key);
            Fence fence = required("atLeast", atLeast);
            required("signal", signal);
            return guard.lookups().onThread(() -> guard.lookups().raiseFence(checked, fence, signal));
        });
    }

    private static Function<Lease, CompletionStage<@Nullable Void>> withoutResult(
            Function<Lease, ? extends CompletionStage<?>> body) {
        return lease -> body.apply(lease).thenApply(done -> null);
    }

    /** What is wrong with the arguments or the guard is in the stage, too. */
    @SuppressWarnings("unchecked") // a stage only ever hands out its value
    private static <T extends @Nullable Object> CompletionStage<T> inStage(
            Supplier<? extends CompletionStage<? extends T>> call) {
        try {
            return (CompletionStage<T>) call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
