package dev.syncguard.kotlin

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.future.asCompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** `runBlocking` on a thread of its own, without the one of the library: what a newer compiler makes of that, older ones lack. */
fun <T> blocking(context: CoroutineContext = EmptyCoroutineContext, block: suspend CoroutineScope.() -> T): T {
    val thread = Executors.newSingleThreadExecutor()
    try {
        return CoroutineScope(thread.asCoroutineDispatcher() + context).async(block = block).asCompletableFuture().get()
    } catch (e: ExecutionException) {
        throw e.cause!!
    } finally {
        thread.shutdown()
    }
}
