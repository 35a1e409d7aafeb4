package dev.syncguard;

import java.time.Duration;

/**
 * A granted lock. Close it, best in a {@code try} statement.
 *
 * <p>A lease belongs to whoever has this object, not to a thread. It believes in itself for less time than the store
 * does: its deadline counts from before the request was sent, on this process's monotonic clock. All methods may be
 * called from any thread.
 */
public non-sealed interface Lease extends AcquireResult, AutoCloseable {

    /**
     * Returns the identity of this grant, with which other processes can release or extend it.
     *
     * @return the lock id
     */
    LockId lockId();

    /**
     * Returns the fence of this grant. Hand it to the resource that the lock protects.
     *
     * @return the fence, never null
     */
    Fence fence();

    /**
     * Returns the hash of the key, safe to log.
     *
     * @return 24 hexadecimal characters
     */
    String keyHash();

    /**
     * Returns when the lock ends by the store's clock, as of the last grant or extension. For display: compare times of
     * this process with {@link #remaining()} instead.
     *
     * @return milliseconds since the epoch
     */
    long expiresAtMs();

    /**
     * Returns how long this holder may still rely on the lease.
     *
     * @return the time to the local deadline; zero if it passed, or the lease was released or lost
     */
    Duration remaining();

    /**
     * Tells whether this holder may still rely on the lease. No request is sent.
     *
     * @return whether the lease is neither released nor lost and its deadline has not passed
     */
    boolean isValid();

    /**
     * Throws unless the lease is valid. Call it before each step that must not happen without the lock.
     *
     * @throws LeaseLostException if the lease was released or lost, or its deadline has passed
     */
    void ensureValid();

    /**
     * Tells whether this lease ended before it was released, as far as this process has noticed.
     *
     * @return whether it was lost
     */
    boolean wasLost();

    /**
     * Makes the lease last {@code ttl} from now. The new time replaces the old one, also if it is shorter.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return whether the store still had the lock; if not, the lease is lost
     * @throws LockException if the store failed; the lease then stays as it was, as far as that is known
     */
    boolean extend(Duration ttl);

    /**
     * Releases the lock and reports failures, unlike {@link #close()}.
     *
     * <p>The lease is over for its holder from the moment of the call, also if the store fails. A release that failed may
     * be repeated.
     *
     * @return whether this call released it; false if it had ended before or was released already
     * @throws LockException if the store failed
     */
    boolean release();

    /**
     * Releases the lock unless that is done. Never throws and does not wait longer than the dispose timeout; failures go
     * to the {@code onReleaseError} handler. Closing twice does nothing.
     */
    @Override
    void close();
}
