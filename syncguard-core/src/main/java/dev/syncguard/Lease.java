package dev.syncguard;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A granted lock. Close it, best in a {@code try} statement.
 *
 * <p>A lease belongs to the code that has this object, not to a thread. Its local deadline always precedes the store's
 * expiry: it counts from before the request was sent, on this process's monotonic clock. All methods may be called from any
 * thread. Those that end in {@code Async} do not block; their stages complete on the guard's completion executor.
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
     * Returns when the lock expires by the store's clock, as of the last grant or extension. For display: compare times of
     * this process with {@link #remaining()} instead.
     *
     * @return milliseconds since the epoch
     */
    long expiresAtMs();

    /**
     * Returns how long this holder may still rely on the lease.
     *
     * <p>A guard looks at a lease once more right before it delivers it, and delivers none that is over. What comes after that
     * look is beyond it: a thread that is paused there, or a stage whose caller takes its value late, may find zero here at its
     * first question. Let the resource compare {@linkplain #fence() fences} where that matters.
     *
     * @return the time to the local deadline; zero if it passed, or the lease was released or lost
     */
    Duration remaining();

    /**
     * Returns whether this holder may still rely on the lease. No request is sent.
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
     * Returns whether this lease was lost before it was released, as far as this process has noticed.
     *
     * @return whether it was lost
     */
    boolean wasLost();

    /**
     * Calls a handler once when this lease is lost, at once if it is lost already. Runs on the completion executor.
     *
     * @param handler gets the loss, which says why; its message is safe to log
     */
    void onLost(Consumer<LeaseLostException> handler);

    /**
     * Makes the lease expire {@code ttl} from now, also if that is sooner than before.
     *
     * <p>A shorter ttl counts from the moment of this call, whether or not its reply arrives. If the lease is renewed in the
     * background ({@link LockOptions#autoExtend()}), later renewals use this ttl.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the new expiry; not ok if the store no longer had the lock: then the lease is lost
     * @throws LockException if the store failed; the lease then stays as it was, or is trusted for the shorter time
     */
    default ExtendResult extend(Duration ttl) {
        return extend(ttl, AbortSignal.none());
    }

    /**
     * Makes the lease expire {@code ttl} from now, also if that is sooner than before.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return as {@link #extend(Duration)}
     */
    ExtendResult extend(Duration ttl, AbortSignal signal);

    /**
     * Makes the lease last at least {@code ttl} from now. Never shortens it.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return the expiry, which may be later than asked for; not ok if the store no longer had the lock
     * @throws LockException if the store failed; the lease then stays as it was
     */
    default ExtendResult extendAtLeast(Duration ttl) {
        return extendAtLeast(ttl, AbortSignal.none());
    }

    /**
     * Makes the lease last at least {@code ttl} from now. Never shortens it.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return as {@link #extendAtLeast(Duration)}
     */
    ExtendResult extendAtLeast(Duration ttl, AbortSignal signal);

    /**
     * Extends without a blocked thread.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return as {@link #extend(Duration)}
     */
    default CompletionStage<ExtendResult> extendAsync(Duration ttl) {
        return extendAsync(ttl, AbortSignal.none());
    }

    /**
     * Extends without a blocked thread.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return as {@link #extend(Duration)}
     */
    CompletionStage<ExtendResult> extendAsync(Duration ttl, AbortSignal signal);

    /**
     * Extends without a blocked thread and never shortens.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @return as {@link #extendAtLeast(Duration)}
     */
    default CompletionStage<ExtendResult> extendAtLeastAsync(Duration ttl) {
        return extendAtLeastAsync(ttl, AbortSignal.none());
    }

    /**
     * Extends without a blocked thread and never shortens.
     *
     * @param ttl 1 ms to 365 days, in whole milliseconds
     * @param signal cancels before the request is sent
     * @return as {@link #extendAtLeast(Duration)}
     */
    CompletionStage<ExtendResult> extendAtLeastAsync(Duration ttl, AbortSignal signal);

    /**
     * Releases the lock and reports failures, unlike {@link #close()}.
     *
     * <p>The lease is over for its holder from the moment of the call, also if the store fails. A release that failed is
     * repeated in the background until the lock is gone, and may be repeated by hand. With {@link LockOptions#holdAtLeast}
     * the lock stays locked until that time is over.
     *
     * @return whether this call released it; false if it had expired before or was released already
     * @throws LockException if the store failed
     */
    default boolean release() {
        return release(AbortSignal.none());
    }

    /**
     * Releases the lock and reports failures, unlike {@link #close()}.
     *
     * @param signal cancels before the request is sent: the lease is still held then
     * @return as {@link #release()}
     */
    boolean release(AbortSignal signal);

    /**
     * Releases without a blocked thread.
     *
     * @return as {@link #release()}
     */
    default CompletionStage<Boolean> releaseAsync() {
        return releaseAsync(AbortSignal.none());
    }

    /**
     * Releases without a blocked thread.
     *
     * @param signal cancels before the request is sent: the lease is still held then
     * @return as {@link #release()}
     */
    CompletionStage<Boolean> releaseAsync(AbortSignal signal);

    /**
     * Lets a release keep the lock locked for at least this time from now, as {@link LockOptions#holdAtLeast} does from the
     * grant; replaces what was set before. Sends nothing: to survive a crash of the process, extend the lease for as long.
     * Does nothing once the lease is released or lost.
     *
     * @param minimum 1 ms to 365 days, in whole milliseconds
     */
    void holdAtLeast(Duration minimum);

    /**
     * Lets the release remove the lock at once, whatever {@link LockOptions#holdAtLeast} says. Call it before the release, if the
     * work that the lock was taken for was not done. Sends nothing.
     */
    void waiveHoldAtLeast();

    /**
     * Releases the lock unless that is done. Never throws and does not wait longer than the dispose timeout; a release that
     * fails goes on in the background and is reported to the {@code onReleaseError} handler. Closing twice does nothing.
     */
    @Override
    void close();

    /**
     * Closes without a blocked thread.
     *
     * @return completes when {@link #close()} would return, never with a failure
     */
    CompletionStage<@Nullable Void> closeAsync();
}
