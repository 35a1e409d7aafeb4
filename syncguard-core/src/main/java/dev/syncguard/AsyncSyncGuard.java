package dev.syncguard;

import dev.syncguard.internal.Guard;
import java.time.Duration;
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
 * {@link AbortSignal} does; a lease that can no longer be delivered is released. Stages may complete on a thread of the
 * driver: use the {@code …Async} methods of the stage for work that blocks.
 */
public final class AsyncSyncGuard {

    private final Guard guard;

    AsyncSyncGuard(Guard guard) {
        this.guard = guard;
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
        Function<Lease, CompletionStage<@Nullable Void>> work =
                lease -> body.apply(lease).thenApply(done -> null);
        return call(key, options, signal, work);
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
        return inStage(() -> guard.acquiring().callAsync(key, options, signal, body));
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
        return inStage(() -> guard.acquiring().acquireAsync(key, options, signal));
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @return a {@link Lease}, to be released, or {@link Contended}
     */
    public CompletionStage<AcquireResult> tryAcquire(String key) {
        return tryAcquire(key, guard.defaults());
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @param options how to hold it
     * @return a {@link Lease}, to be released, or {@link Contended}
     */
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
    public CompletionStage<AcquireResult> tryAcquire(String key, LockOptions options, AbortSignal signal) {
        return inStage(() -> guard.acquiring().tryAcquireAsync(key, options, signal));
    }

    /**
     * Releases a lock by its id; for leases of this guard the same as {@link Lease#release()}.
     *
     * @param lockId the lock id
     * @return whether this call released it
     */
    public CompletionStage<Boolean> release(LockId lockId) {
        return inStage(() -> guard.releaseAsync(lockId));
    }

    /**
     * Makes a live lock last {@code ttl} from now; for leases of this guard the same as {@link Lease#extend}.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return whether the lock was live
     */
    public CompletionStage<Boolean> extend(LockId lockId, Duration ttl) {
        return inStage(() -> guard.extendAsync(lockId, ttl));
    }

    /**
     * Tells whether somebody holds the lock.
     *
     * @param key the key
     * @return whether it is locked
     */
    public CompletionStage<Boolean> isLocked(String key) {
        return inStage(() -> guard.lookups().isLockedAsync(key));
    }

    /**
     * Tells whether a lock id still holds its lock. For diagnostics: release and extend check for themselves.
     *
     * @param lockId the lock id
     * @return whether it is live
     */
    public CompletionStage<Boolean> owns(LockId lockId) {
        return lookup(lockId).thenApply(Optional::isPresent);
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the key
     * @return the live lock, without raw identifiers
     */
    public CompletionStage<Optional<LockInfo>> lookup(String key) {
        return lookupRaw(key).thenApply(found -> found.map(RawLockInfo::info));
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId the lock id
     * @return the live lock, without raw identifiers
     */
    public CompletionStage<Optional<LockInfo>> lookup(LockId lockId) {
        return lookupRaw(lockId).thenApply(found -> found.map(RawLockInfo::info));
    }

    /**
     * Looks up the lock of a key with its raw identifiers, for debugging.
     *
     * @param key the key
     * @return the live lock; its lock id is the right to release it
     */
    public CompletionStage<Optional<RawLockInfo>> lookupRaw(String key) {
        return inStage(() -> guard.lookups().findAsync(key));
    }

    /**
     * Looks up the lock of a lock id with its raw identifiers, for debugging.
     *
     * @param lockId the lock id
     * @return the live lock
     */
    public CompletionStage<Optional<RawLockInfo>> lookupRaw(LockId lockId) {
        return inStage(() -> guard.lookups().findAsync(lockId));
    }

    /** What is wrong with the arguments or the guard is in the stage, too. */
    @SuppressWarnings("unchecked") // a stage only ever hands out its value
    private static <T extends @Nullable Object> CompletionStage<T> inStage(
            Supplier<? extends CompletionStage<? extends T>> call) {
        try {
            return (CompletionStage<T>) call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
