package dev.syncguard;

import static dev.syncguard.Arguments.required;

import dev.syncguard.internal.Guard;
import dev.syncguard.spi.ExtendRequest.Mode;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locks on a store: the entry point.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(new MemoryLockBackend());
 *
 * guard.run("invoice:42", lease -> charge(invoice, lease.fence()));
 * }</pre>
 *
 * <p>A lock belongs to its {@link LockId}, never to a thread: it may be released anywhere, and a thread that acquires a key
 * twice waits for itself. One guard serves the whole application; close it at the end, which also closes the backend.
 *
 * <p>Errors are {@link LockException}s; contention is one only for callers that wait
 * ({@link AcquisitionTimeoutException}). Calls on a closed guard throw {@link IllegalStateException}.
 */
public final class SyncGuard implements AutoCloseable {

    private final Guard guard;
    private final AsyncSyncGuard async;

    SyncGuard(Guard guard) {
        this.guard = guard;
        this.async = new AsyncSyncGuard(guard);
    }

    /**
     * Creates a guard with the defaults.
     *
     * @param backend the store; closed with the guard
     * @return a guard
     */
    public static SyncGuard of(LockBackend backend) {
        return builder(backend).build();
    }

    /**
     * Starts a guard with other settings.
     *
     * @param backend the store; closed with the guard
     * @return a builder
     */
    public static SyncGuardBuilder builder(LockBackend backend) {
        return new SyncGuardBuilder(backend);
    }

    /**
     * Returns the options of calls without options, to derive others from.
     *
     * @return the defaults of this guard
     */
    public LockOptions options() {
        return guard.defaults();
    }

    /**
     * Returns the same verbs without blocked threads.
     *
     * @return the asynchronous view of this guard
     */
    public AsyncSyncGuard async() {
        return async;
    }

    /**
     * Waits for the lock, does the work, and releases the lock whatever happens.
     *
     * @param key what to lock
     * @param body the work
     * @param <X> what the work throws
     * @throws X what the work threw
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost
     */
    public <X extends Exception> void run(String key, LockedAction<X> body) throws X {
        run(key, guard.defaults(), body);
    }

    /**
     * Waits for the lock, does the work, and releases the lock whatever happens.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @param <X> what the work throws
     * @throws X what the work threw
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost
     */
    public <X extends Exception> void run(String key, LockOptions options, LockedAction<X> body) throws X {
        run(key, options, AbortSignal.none(), body);
    }

    /**
     * Waits for the lock, does the work, and releases the lock whatever happens.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body the work
     * @param <X> what the work throws
     * @throws X what the work threw
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost
     */
    @SuppressWarnings("NullAway") // it does not see that Void is nullable here
    public <X extends Exception> void run(String key, LockOptions options, AbortSignal signal, LockedAction<X> body)
            throws X {
        LockedAction<X> action = required("body", body);
        LockedFunction<@Nullable Void, X> function = lease -> {
            action.accept(lease);
            return null;
        };
        call(key, options, signal, function);
    }

    /**
     * Waits for the lock, does the work, releases the lock whatever happens, and returns the result.
     *
     * @param key what to lock
     * @param body the work
     * @param <T> its result
     * @param <X> what the work throws
     * @return what the work returned
     * @throws X what the work threw
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost; it carries the result
     */
    public <T extends @Nullable Object, X extends Exception> T call(String key, LockedFunction<T, X> body) throws X {
        return call(key, guard.defaults(), body);
    }

    /**
     * Waits for the lock, does the work, releases the lock whatever happens, and returns the result.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @param <T> its result
     * @param <X> what the work throws
     * @return what the work returned
     * @throws X what the work threw
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost; it carries the result
     */
    public <T extends @Nullable Object, X extends Exception> T call(
            String key, LockOptions options, LockedFunction<T, X> body) throws X {
        return call(key, options, AbortSignal.none(), body);
    }

    /**
     * Waits for the lock, does the work, releases the lock whatever happens, and returns the result.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body the work
     * @param <T> its result
     * @param <X> what the work throws
     * @return what the work returned
     * @throws X what the work threw
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost; it carries the result
     */
    public <T extends @Nullable Object, X extends Exception> T call(
            String key, LockOptions options, AbortSignal signal, LockedFunction<T, X> body) throws X {
        return guard.calls()
                .call(guard.key(key), required("options", options), required("signal", signal), required("body", body));
    }

    /**
     * Waits for the lock, does the work, releases the lock whatever happens, and returns the result. The form for work that
     * throws no checked exceptions, whose type every language can infer: {@code guard.withLock("k") { … }} in Kotlin.
     *
     * @param key what to lock
     * @param body the work
     * @param <T> its result
     * @return what the work returned
     * @throws AcquisitionTimeoutException if the lock was not free in time
     * @throws LeaseLostException if the work ended normally, but after the lease was lost; it carries the result
     */
    public <T extends @Nullable Object> T withLock(String key, Function<Lease, T> body) {
        return withLock(key, guard.defaults(), body);
    }

    /**
     * Waits for the lock, does the work, releases the lock whatever happens, and returns the result; see
     * {@link #withLock(String, Function)}.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param body the work
     * @param <T> its result
     * @return what the work returned
     */
    public <T extends @Nullable Object> T withLock(String key, LockOptions options, Function<Lease, T> body) {
        return withLock(key, options, AbortSignal.none(), body);
    }

    /**
     * Waits for the lock, does the work, releases the lock whatever happens, and returns the result; see
     * {@link #withLock(String, Function)}.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @param body the work
     * @param <T> its result
     * @return what the work returned
     */
    public <T extends @Nullable Object> T withLock(
            String key, LockOptions options, AbortSignal signal, Function<Lease, T> body) {
        LockedFunction<T, RuntimeException> function = required("body", body)::apply;
        return call(key, options, signal, function);
    }

    /**
     * Waits for the lock.
     *
     * @param key what to lock
     * @return the lease, to be closed
     * @throws AcquisitionTimeoutException if the lock was not free in time
     */
    public Lease acquire(String key) {
        return acquire(key, guard.defaults());
    }

    /**
     * Waits for the lock.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @return the lease, to be closed
     * @throws AcquisitionTimeoutException if the lock was not free in time
     */
    public Lease acquire(String key, LockOptions options) {
        return acquire(key, options, AbortSignal.none());
    }

    /**
     * Waits for the lock.
     *
     * @param key what to lock
     * @param options how to wait and hold
     * @param signal cancels the wait
     * @return the lease, to be closed
     * @throws AcquisitionTimeoutException if the lock was not free in time
     */
    public Lease acquire(String key, LockOptions options, AbortSignal signal) {
        return guard.calls().acquire(guard.key(key), required("options", options), required("signal", signal));
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @return a {@link Lease}, to be closed, or {@link Contended}
     */
    @CheckReturnValue
    public AcquireResult tryAcquire(String key) {
        return tryAcquire(key, guard.defaults());
    }

    /**
     * Waits for the lock for some time, otherwise as the defaults of this guard say: a {@link LockOptions#maxRetries} that
     * they set still limits the polls.
     *
     * @param key what to lock
     * @param waitAtMost 0 to 365 days; 0 tries once
     * @return a {@link Lease}, to be closed, or {@link Contended} if the lock was not free in time
     */
    @CheckReturnValue
    public AcquireResult tryAcquire(String key, Duration waitAtMost) {
        return tryAcquire(key, waitAtMost, AbortSignal.none());
    }

    /**
     * Waits for the lock for some time; see {@link #tryAcquire(String, Duration)}.
     *
     * @param key what to lock
     * @param waitAtMost 0 to 365 days; 0 tries once
     * @param signal cancels the wait
     * @return a {@link Lease}, to be closed, or {@link Contended} if the lock was not free in time
     */
    @CheckReturnValue
    public AcquireResult tryAcquire(String key, Duration waitAtMost, AbortSignal signal) {
        LockOptions options = guard.defaults().waitAtMost(waitAtMost);
        return guard.calls().tryAcquire(guard.key(key), options, required("signal", signal));
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @param options how to hold it
     * @return a {@link Lease}, to be closed, or {@link Contended}
     */
    @CheckReturnValue
    public AcquireResult tryAcquire(String key, LockOptions options) {
        return tryAcquire(key, options, AbortSignal.none());
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @param options how to hold it
     * @param signal cancels before the request is sent
     * @return a {@link Lease}, to be closed, or {@link Contended}
     */
    @CheckReturnValue
    public AcquireResult tryAcquire(String key, LockOptions options, AbortSignal signal) {
        return guard.calls()
                .tryAcquire(guard.key(key), required("options", options).once(), required("signal", signal));
    }

    /**
     * Releases a lock by its id; for leases of this guard the same as {@link Lease#release()}.
     *
     * @param lockId the lock id
     * @return whether this call released it
     */
    public boolean release(LockId lockId) {
        return release(lockId, AbortSignal.none());
    }

    /**
     * Releases a lock by its id; for leases of this guard the same as {@link Lease#release()}.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return whether this call released it
     */
    public boolean release(LockId lockId, AbortSignal signal) {
        return guard.byId().release(required("lockId", lockId), required("signal", signal));
    }

    /**
     * Makes a live lock expire {@code ttl} from now; for leases of this guard the same as {@link Lease#extend(Duration)}.
     *
     * <p>Shortening the lease of another process this way is not noticed by its holder before its next extension.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the new expiry; not ok if the lock was not live
     */
    public ExtendResult extend(LockId lockId, Duration ttl) {
        return extend(lockId, ttl, AbortSignal.none());
    }

    /**
     * Makes a live lock expire {@code ttl} from now; see {@link #extend(LockId, Duration)}.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return the new expiry; not ok if the lock was not live
     */
    public ExtendResult extend(LockId lockId, Duration ttl, AbortSignal signal) {
        return guard.byId().extend(required("lockId", lockId), Ttl.of(ttl), Mode.REPLACE, required("signal", signal));
    }

    /**
     * Makes a live lock last at least {@code ttl} from now. Never shortens it.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the expiry, which may be later than asked for; not ok if the lock was not live
     */
    public ExtendResult extendAtLeast(LockId lockId, Duration ttl) {
        return extendAtLeast(lockId, ttl, AbortSignal.none());
    }

    /**
     * Makes a live lock last at least {@code ttl} from now. Never shortens it.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return as {@link #extendAtLeast(LockId, Duration)}
     */
    public ExtendResult extendAtLeast(LockId lockId, Duration ttl, AbortSignal signal) {
        return guard.byId().extend(required("lockId", lockId), Ttl.of(ttl), Mode.AT_LEAST, required("signal", signal));
    }

    /**
     * Returns whether a lock is held. For diagnostics: the answer may be outdated when it arrives.
     *
     * @param key the key
     * @return whether it is locked
     */
    public boolean isLocked(String key) {
        return isLocked(key, AbortSignal.none());
    }

    /**
     * Returns whether a lock is held. For diagnostics: the answer may be outdated when it arrives.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return whether it is locked
     */
    public boolean isLocked(String key, AbortSignal signal) {
        return guard.lookups().isLocked(guard.key(key), required("signal", signal));
    }

    /**
     * Returns whether a lock id still holds its lock. For diagnostics: release and extend check for themselves.
     *
     * @param lockId the lock id
     * @return whether it is live
     */
    public boolean owns(LockId lockId) {
        return owns(lockId, AbortSignal.none());
    }

    /**
     * Returns whether a lock id still holds its lock. For diagnostics: release and extend check for themselves.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return whether it is live
     */
    public boolean owns(LockId lockId, AbortSignal signal) {
        return lookupRaw(lockId, signal).isPresent();
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the key
     * @return the live lock, without raw identifiers
     */
    public Optional<LockInfo> lookup(String key) {
        return lookup(key, AbortSignal.none());
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return the live lock, without raw identifiers
     */
    public Optional<LockInfo> lookup(String key, AbortSignal signal) {
        return lookupRaw(key, signal).map(RawLockInfo::info);
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId the lock id
     * @return the live lock, without raw identifiers
     */
    public Optional<LockInfo> lookup(LockId lockId) {
        return lookup(lockId, AbortSignal.none());
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return the live lock, without raw identifiers
     */
    public Optional<LockInfo> lookup(LockId lockId, AbortSignal signal) {
        return lookupRaw(lockId, signal).map(RawLockInfo::info);
    }

    /**
     * Looks up the lock of a key with its raw identifiers, for debugging.
     *
     * @param key the key
     * @return the live lock; its lock id is the right to release it
     */
    public Optional<RawLockInfo> lookupRaw(String key) {
        return lookupRaw(key, AbortSignal.none());
    }

    /**
     * Looks up the lock of a key with its raw identifiers, for debugging.
     *
     * @param key the key
     * @param signal cancels before the request is sent
     * @return the live lock; its lock id is the right to release it
     */
    public Optional<RawLockInfo> lookupRaw(String key, AbortSignal signal) {
        return guard.lookups().find(guard.key(key), required("signal", signal));
    }

    /**
     * Looks up the lock of a lock id with its raw identifiers, for debugging.
     *
     * @param lockId the lock id
     * @return the live lock; its lock id is the right to release it
     */
    public Optional<RawLockInfo> lookupRaw(LockId lockId) {
        return lookupRaw(lockId, AbortSignal.none());
    }

    /**
     * Looks up the lock of a lock id with its raw identifiers, for debugging.
     *
     * @param lockId the lock id
     * @param signal cancels before the request is sent
     * @return the live lock; its lock id is the right to release it
     */
    public Optional<RawLockInfo> lookupRaw(LockId lockId, AbortSignal signal) {
        return guard.lookups().find(required("lockId", lockId), required("signal", signal));
    }

    /**
     * Returns what the store is and can do.
     *
     * @return the capabilities of the backend
     */
    public Capabilities capabilities() {
        return guard.capabilities();
    }

    /**
     * Inspects the settings of the store, as the {@code doctor} command does.
     *
     * @return what was found, including what is as it should be; empty if the backend cannot tell
     */
    public List<Finding> diagnostics() {
        return diagnostics(AbortSignal.none());
    }

    /**
     * Inspects the settings of the store, as the {@code doctor} command does.
     *
     * @param signal cancels before the request is sent
     * @return as {@link #diagnostics()}
     */
    public List<Finding> diagnostics(AbortSignal signal) {
        return guard.lookups().diagnostics(required("signal", signal));
    }

    /**
     * Lists the live locks of the store, page by page.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @return a page, without raw identifiers but for its cursor, which may be a key
     * @throws LockException with {@link LockException.Code#INVALID_ARGUMENT} if the backend cannot list
     */
    public LockPage<LockInfo> listing(@Nullable String cursor, int limit) {
        return listing(cursor, limit, AbortSignal.none());
    }

    /**
     * Lists the live locks of the store; see {@link #listing(String, int)}.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @param signal cancels before the request is sent
     * @return a page, without raw identifiers but for its cursor, which may be a key
     */
    public LockPage<LockInfo> listing(@Nullable String cursor, int limit, AbortSignal signal) {
        return listingRaw(cursor, limit, signal).map(RawLockInfo::info);
    }

    /**
     * Lists the live locks of the store with their raw identifiers, for debugging.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @return a page
     * @throws LockException with {@link LockException.Code#INVALID_ARGUMENT} if the backend cannot list
     */
    public LockPage<RawLockInfo> listingRaw(@Nullable String cursor, int limit) {
        return listingRaw(cursor, limit, AbortSignal.none());
    }

    /**
     * Lists the live locks of the store with their raw identifiers; see {@link #listingRaw(String, int)}.
     *
     * @param cursor null for the first page, then {@link LockPage#next()} of the last one
     * @param limit roughly how many locks, 1 to 10,000
     * @param signal cancels before the request is sent
     * @return a page
     */
    public LockPage<RawLockInfo> listingRaw(@Nullable String cursor, int limit, AbortSignal signal) {
        return guard.lookups().listing(cursor, limit, required("signal", signal));
    }

    /**
     * Raises the fence counter of a key so that the next fence is higher than {@code atLeast}: the repair after the store lost
     * data. Never lowers it.
     *
     * @param key the key
     * @param atLeast the highest fence that may have been granted
     * @return where the counter stands now; higher than asked if it stood higher
     */
    public Fence raiseFence(String key, Fence atLeast) {
        return raiseFence(key, atLeast, AbortSignal.none());
    }

    /**
     * Raises the fence counter of a key; see {@link #raiseFence(String, Fence)}.
     *
     * @param key the key
     * @param atLeast the highest fence that may have been granted
     * @param signal cancels before the request is sent
     * @return where the counter stands now; higher than asked if it stood higher
     */
    public Fence raiseFence(String key, Fence atLeast, AbortSignal signal) {
        return guard.lookups().raiseFence(guard.key(key), required("atLeast", atLeast), required("signal", signal));
    }

    /**
     * Returns how many locks are being released in the background, after a failed release or an acquire with an unknown
     * outcome.
     *
     * @return a count that returns to 0 when the store is well
     */
    public int pendingReleases() {
        return guard.pendingReleases();
    }

    /**
     * Returns how many leases of this guard are held and not lost, for a gauge.
     *
     * @return a count that goes through all leases
     */
    public int heldLeases() {
        return guard.heldLeases();
    }

    /**
     * Returns how many callers of this guard wait for a lock, for a gauge. A caller that is willing to wait counts from its
     * first request on.
     *
     * @return a count that goes through all waiters
     */
    public int waiters() {
        return guard.waiters();
    }

    /**
     * Ends this guard when its work is done: takes no new locks, waits for the leases that are held, then closes. Leases are
     * renewed meanwhile.
     *
     * @param limit how long to wait for held leases; the rest is as {@link #close()}
     * @return whether every lease was released in time; false if a body or continuation of this guard asks, which is not
     *     waited for here: the guard is closed after it
     */
    public boolean shutdown(Duration limit) {
        return guard.shutdown().afterBodies(required("limit", limit));
    }

    /**
     * Ends this guard and closes its backend. New operations and callers that wait get an {@link IllegalStateException};
     * requests under way are awaited and what they are granted is released; releases and the bodies of {@code run} and
     * {@code call} finish, within two command timeouts. Locks that are still held then are not renewed any more and expire at
     * their ttl; {@link #shutdown(Duration)} waits for them.
     * A body or continuation of this guard that closes it does not wait for itself: the call returns at once, and the guard
     * is closed after it. Never throws.
     */
    @Override
    public void close() {
        guard.shutdown().close();
    }
}
