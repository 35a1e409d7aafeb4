package dev.syncguard.kotlin

import dev.syncguard.AcquisitionTimeoutException
import dev.syncguard.AsyncSyncGuard
import dev.syncguard.Lease
import dev.syncguard.LeaseLostException
import dev.syncguard.LockOptions

/**
 * Waits for the lock without blocking a thread, runs [block] in this coroutine, releases the lock whatever happens, and returns
 * the result.
 *
 * ```
 * guard.async().withLock("invoice:42") { lease -> charge(invoice, lease.fence()) }
 * ```
 *
 * Cancelling the coroutine ends the wait, or [block], and releases; the call returns when that is done, within the bounds of
 * the guard. A lease that was granted too late for a cancelled coroutine is released at once, whatever
 * [LockOptions.holdAtLeast] says.
 *
 * @throws AcquisitionTimeoutException if the lock was not free in time
 * @throws LeaseLostException if [block] ended normally, but after the lease was lost; it carries the result
 */
public suspend fun <T> AsyncSyncGuard.withLock(
    key: String,
    options: LockOptions = options(),
    block: suspend (lease: Lease) -> T,
): T {
    val call = LockedCall<T>()
    call.start(this, key, options)
    return call.run(block)
}

/**
 * As [withLock], with one attempt: null, without running [block], if another client has the lock.
 */
public suspend fun <T : Any> AsyncSyncGuard.withLockOrNull(
    key: String,
    options: LockOptions = options(),
    block: suspend (lease: Lease) -> T,
): T? {
    val call = LockedCall<T>()
    call.start(this, key, options.maxRetries(0))
    return try {
        call.run(block)
    } catch (e: AcquisitionTimeoutException) {
        if (call.hasBegun || e.cause != null) throw e
        null
    }
}
