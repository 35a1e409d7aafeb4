package dev.syncguard.kotlin

import dev.syncguard.AcquisitionTimeoutException
import dev.syncguard.Fence
import dev.syncguard.Lease
import dev.syncguard.LeaseLostException
import dev.syncguard.LockException
import dev.syncguard.LockException.Code
import dev.syncguard.LockOptions
import dev.syncguard.SyncGuard
import dev.syncguard.memory.LockSimulator
import dev.syncguard.memory.LockSimulator.Operation
import dev.syncguard.memory.MemoryLockBackend
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowable
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.api.Test
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

class WithLockTest {
    private val simulator = LockSimulator()
    private val guard = simulator.newGuard()
    private val real = SyncGuard.of(MemoryLockBackend())

    @AfterEach
    fun close() {
        assertThat(real.heldLeases()).isZero()
        assertThat(real.waiters()).isZero()
        assertThat(real.pendingReleases()).isZero()
        real.close()
        assertThat(guard.heldLeases()).isZero()
    }

    @Test
    @DisplayName("runs in this coroutine, returns the result, releases")
    fun runs() = blocking<Unit> {
        val caller = coroutineContext
        val fence = guard.async().withLock("k") { lease ->
            assertThat(kotlin.coroutines.coroutineContext).isEqualTo(caller)
            assertThat(guard.isLocked("k")).isTrue()
            lease.fence()
        }
        assertThat(fence).isEqualTo(simulator.lastFence("k"))
        assertThat(simulator.stored("k")).isEmpty
    }

    @Test
    @DisplayName("a null is a result")
    fun nullResult() = blocking<Unit> {
        val none: String? = guard.async().withLock("k") { null }
        assertThat(none).isNull()
    }

    @Test
    @DisplayName("what the block throws arrives itself, an Error too, after the release")
    fun throws() {
        for (thrown in listOf(IllegalStateException("mine"), AssertionError("mine"), CancellationException("mine"))) {
            val caught = catchThrowable { blocking { guard.async().withLock("k") { throw thrown } } }
            assertThat(caught).isSameAs(thrown)
            assertThat(simulator.stored("k")).isEmpty
        }
    }

    @Test
    @DisplayName("a lost lease throws with the result; a block that fails after the loss has it as suppressed")
    fun lost() {
        val loss = catchThrowable {
            blocking {
                guard.async().withLock<String>("k") {
                    simulator.loseLock("k")
                    "done"
                }
            }
        }
        assertThat(loss).isInstanceOfSatisfying(LeaseLostException::class.java) {
            assertThat(it.result()).contains("done")
        }
        val failure = catchThrowable {
            blocking {
                guard.async().withLock("k") {
                    simulator.advance(Duration.ofMinutes(1))
                    error("mine")
                }
            }
        }
        assertThat(failure).hasMessage("mine")
        assertThat(failure.suppressed).hasAtLeastOneElementOfType(LeaseLostException::class.java)
    }

    @Test
    @DisplayName("contention and failures of the store are the guard's exceptions")
    fun failures() {
        simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1))).waiveHoldAtLeast()
        val once = guard.options().maxRetries(0)
        assertThat(catchThrowable { blocking { guard.async().withLock("k", once) {} } })
            .isInstanceOf(AcquisitionTimeoutException::class.java)
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE)
        assertThat(catchThrowable { blocking { guard.async().withLock("free") {} } })
            .isInstanceOfSatisfying(LockException::class.java) {
                assertThat(it.code()).isEqualTo(Code.SERVICE_UNAVAILABLE)
            }
        val closed = simulator.newGuard().also { it.close() }
        assertThat(catchThrowable { blocking { closed.async().withLock("free") {} } })
            .isInstanceOf(IllegalStateException::class.java)
        assertThat(catchThrowable { blocking { guard.async().withLock("") {} } })
            .isInstanceOf(LockException::class.java)
    }

    @Test
    @DisplayName("withLockOrNull is null for contention only, and never for the timeout of a lock inside the block")
    fun orNull() = blocking<Unit> {
        val other = simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)))
        assertThat(guard.async().withLockOrNull("k") { "never" }).isNull()
        val inner = catchThrowable {
            blocking {
                guard.async().withLockOrNull("outer") {
                    guard.async().withLock("k", guard.options().maxRetries(0)) { "never" }
                }
            }
        }
        assertThat(inner).isInstanceOf(AcquisitionTimeoutException::class.java)
        other.close()
        assertThat(guard.async().withLockOrNull("k") { "now" }).isEqualTo("now")
    }

    @Test
    @DisplayName("cancelling ends the wait, and the next one gets the lock")
    fun cancelWait() = blocking<Unit> {
        val held = real.acquire("k")
        val waiter = launch(Dispatchers.Default) { real.async().withLock("k", PATIENT) {} }
        await().until { real.waiters() == 1 }
        waiter.cancelAndJoin()
        assertThat(real.waiters()).isZero()
        held.close()
        assertThat(real.async().withLockOrNull("k") { "free" }).isEqualTo("free")
    }

    @Test
    @DisplayName("cancelling ends the block, and has released when it is done")
    fun cancelBlock() = blocking<Unit> {
        val entered = CompletableDeferred<Lease>()
        val holder = launch(Dispatchers.Default) {
            real.async().withLock("k") {
                entered.complete(it)
                awaitCancellation()
            }
        }
        val lease = entered.await()
        holder.cancelAndJoin()
        assertThat(lease.isValid).isFalse()
        assertThat(real.isLocked("k")).isFalse()
    }

    @Test
    @DisplayName("a coroutine that was cancelled before does not lock")
    fun cancelledBefore() = blocking<Unit> {
        val job = launch(start = CoroutineStart.UNDISPATCHED) {
            yield()
            real.async().withLock("k") { error("must not run") }
        }
        job.cancelAndJoin()
        assertThat(real.isLocked("k")).isFalse()
    }

    @Test
    @DisplayName("a lease that is granted while its coroutine is cancelled is released, its minimum waived")
    fun grantedWhileCancelled() = blocking<Unit> {
        val held = real.acquire("k")
        val waiter = launch { real.async().withLock("k", PATIENT.holdAtLeast(Duration.ofHours(1))) { error("too late") } }
        yield() // it waits now, on this thread, which is busy here
        await().until { real.waiters() == 1 }
        held.close()
        await().until { real.heldLeases() == 1 } // granted, and resumed on this thread later
        waiter.cancelAndJoin()
        assertThat(real.isLocked("k")).isFalse()
    }

    @Test
    @DisplayName("cancelled at any moment, nothing stays locked and no two are inside")
    fun cancelledAnytime() = blocking<Unit>(Dispatchers.Default) {
        val inside = AtomicInteger()
        val random = Random(1)
        List(300) {
            val micros = random.nextLong(3_000)
            async {
                withTimeoutOrNull(micros / 1000) {
                    real.async().withLock("k", PATIENT.holdAtLeast(Duration.ofMillis(1))) {
                        assertThat(inside.incrementAndGet()).isEqualTo(1)
                        yield()
                        inside.decrementAndGet()
                    }
                }
            }
        }.awaitAll()
        assertThat(real.waiters()).isZero()
        await().until { !real.isLocked("k") }
    }

    @Test
    @DisplayName("the guard's withLock infers in Kotlin, for code that blocks")
    fun blocking() {
        val fence = guard.withLock("k") { lease -> lease.fence() }
        assertThat(fence.value()).isEqualTo(1)
    }

    @Test
    @DisplayName("a run with other coroutines really has them")
    fun version() {
        assertThat(CompletableDeferred::class.java.protectionDomain.codeSource.location.toString())
            .contains(System.getProperty("coroutines.expected", ""))
    }

    @Test
    @DisplayName("the code of the README runs")
    fun readme() = blocking<Unit> {
        assertThat(charged(real)).isEqualTo("charged with 1")
    }

    private suspend fun charged(guard: SyncGuard): String? {
        val receipt = guard.async().withLock("invoice:42") { lease -> charge(lease.fence()) }

        val once = guard.async().withLockOrNull("report") { lease -> charge(lease.fence()) } // null: another client has it
        assertThat(once).isNotNull
        return receipt
    }

    private suspend fun charge(fence: Fence): String {
        yield()
        return "charged with ${fence.value()}"
    }

    private companion object {
        val PATIENT: LockOptions = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1))
    }
}
