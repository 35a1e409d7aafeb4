package dev.syncguard;

import dev.syncguard.internal.Guard;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;
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
     * Makes a guard with the defaults.
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
        LockedFunction<@Nullable Void, X> function = lease -> {
            body.accept(lease);
            return null;
        };
        guard.acquiring().call(key, options, signal, function);
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
        return guard.acquiring().call(key, options, signal, body);
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
        return guard.acquiring().acquire(key, options, signal);
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @return a {@link Lease}, to be closed, or {@link Contended}
     */
    public AcquireResult tryAcquire(String key) {
        return tryAcquire(key, guard.defaults());
    }

    /**
     * Tries once to get the lock.
     *
     * @param key what to lock
     * @param options how to hold it
     * @return a {@link Lease}, to be closed, or {@link Contended}
     */
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
    public AcquireResult tryAcquire(String key, LockOptions options, AbortSignal signal) {
        return guard.acquiring().tryAcquire(key, options, signal);
    }

    /**
     * Releases a lock by its id; for leases of this guard the same as {@link Lease#release()}.
     *
     * @param lockId the lock id
     * @return whether this call released it
     */
    public boolean release(LockId lockId) {
        return guard.release(lockId);
    }

    /**
     * Makes a live lock last {@code ttl} from now; for leases of this guard the same as {@link Lease#extend}.
     *
     * <p>Shortening the lease of another process this way is not noticed by its holder before the next extension.
     *
     * @param lockId the lock id
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return whether the lock was live
     */
    public boolean extend(LockId lockId, Duration ttl) {
        return guard.extend(lockId, ttl);
    }

    /**
     * Tells whether somebody holds the lock. For diagnostics: the answer may be outdated when it arrives.
     *
     * @param key the key
     * @return whether it is locked
     */
    public boolean isLocked(String key) {
        return guard.lookups().isLocked(key);
    }

    /**
     * Tells whether a lock id still holds its lock. For diagnostics: release and extend check for themselves.
     *
     * @param lockId the lock id
     * @return whether it is live
     */
    public boolean owns(LockId lockId) {
        return guard.lookups().find(lockId).isPresent();
    }

    /**
     * Looks up the lock of a key.
     *
     * @param key the key
     * @return the live lock, without raw identifiers
     */
    public Optional<LockInfo> lookup(String key) {
        return guard.lookups().find(key).map(RawLockInfo::info);
    }

    /**
     * Looks up the lock of a lock id.
     *
     * @param lockId the lock id
     * @return the live lock, without raw identifiers
     */
    public Optional<LockInfo> lookup(LockId lockId) {
        return guard.lookups().find(lockId).map(RawLockInfo::info);
    }

    /**
     * Looks up the lock of a key with its raw identifiers, for debugging.
     *
     * @param key the key
     * @return the live lock; its lock id is the right to release it
     */
    public Optional<RawLockInfo> lookupRaw(String key) {
        return guard.lookups().find(key);
    }

    /**
     * Looks up the lock of a lock id with its raw identifiers, for debugging.
     *
     * @param lockId the lock id
     * @return the live lock
     */
    public Optional<RawLockInfo> lookupRaw(LockId lockId) {
        return guard.lookups().find(lockId);
    }

    /**
     * Ends the threads of this guard and closes its backend. Callers that wait get an {@link IllegalStateException}; locks
     * that are still held are not extended any more and end with their ttl.
     */
    @Override
    public void close() {
        guard.close();
    }
}
