package dev.syncguard.kotlin

import dev.syncguard.AbortSignal
import dev.syncguard.AsyncSyncGuard
import dev.syncguard.Lease
import dev.syncguard.LockOptions
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withContext
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

/**
 * One `call` of the guard, whose body is a coroutine's.
 *
 * The guard hands over the lease in [granted] and waits for [body], which this coroutine completes whatever becomes of it: so a
 * lease that arrives while the coroutine is being cancelled is released by the guard. (A plain `await` of a stage drops it.)
 */
internal class LockedCall<T> {
    private val signal = AbortSignal.create()
    private val granted = CompletableDeferred<Lease>()
    private val body = CompletableFuture<T>()

    /** What the guard says, after the release. Completes normally in any case: nothing must throw while a failure is on its way. */
    private val end = CompletableDeferred<Throwable?>()

    var hasBegun = false
        private set

    fun start(guard: AsyncSyncGuard, key: String, options: LockOptions) {
        guard
            .call(key, options, signal) { lease ->
                if (!granted.complete(lease)) lease.waiveHoldAtLeast()
                body
            }.whenComplete { _, failure ->
                val cause = unwrapped(failure)
                end.complete(cause)
                if (cause != null) granted.completeExceptionally(cause)
            }
    }

    suspend fun run(block: suspend (Lease) -> T): T {
        val result =
            try {
                currentCoroutineContext().ensureActive()
                val lease = granted.await()
                hasBegun = true
                block(lease)
            } catch (e: Throwable) {
                fail(e)
                throw e
            }
        body.complete(result)
        val failure = withContext(NonCancellable) { end.await() }
        if (failure != null) throw failure
        return result
    }

    /** The guard releases, and adds a loss to the failure. The work of a lease that came too late was not done. */
    private suspend fun fail(failure: Throwable) =
        withContext(NonCancellable) {
            val isUnused = !hasBegun && !granted.completeExceptionally(failure) && end.isActive
            if (isUnused) granted.await().waiveHoldAtLeast()
            signal.abort()
            body.completeExceptionally(failure)
            end.await()
        }

    private fun unwrapped(failure: Throwable?): Throwable? =
        if (failure is CompletionException) failure.cause ?: failure else failure
}
