package dev.syncguard.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // locking and unlocking are what is tested
class LeaseLockTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();
    private final LeaseLock lock = new LeaseLock(guard, "k");

    private final SyncGuard real = SyncGuard.of(new MemoryLockBackend());
    private final LeaseLock realLock = new LeaseLock(real, "k");

    @AfterEach
    void close() {
        assertThat(Thread.interrupted()).as("no interrupt is left").isFalse();
        real.close();
    }

    @Test
    @DisplayName("locks, shows the fence, and unlocks")
    void lockAndUnlock() {
        lock.lock();
        assertThat(lock.lease().fence()).isEqualTo(simulator.lastFence("k"));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();

        assertThat(simulator.stored("k")).isEmpty();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    @DisplayName("a second lock by the same thread throws at once, and the first stays")
    void second() {
        lock.lock();

        assertThatIllegalStateException().isThrownBy(lock::lock);
        assertThatIllegalStateException().isThrownBy(lock::lockInterruptibly);
        assertThatIllegalStateException().isThrownBy(() -> lock.tryLock(1, TimeUnit.HOURS));
        assertThat(lock.tryLock()).isFalse();
        assertThat(simulator.fenceCounter("k")).isEqualTo(1);
        lock.unlock();
    }

    @Test
    @DisplayName("unlocking what this thread does not have throws, and touches nothing")
    void notMine() {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        lock.lock();
        assertThat(CompletableFuture.runAsync(lock::unlock))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(simulator.stored("k")).isPresent();
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    @DisplayName("tryLock is false while another client has the lock")
    void contended() throws InterruptedException {
        Lease held = other.acquire("k", LockOptions.defaults().autoExtend());
        long before = simulator.nowMs();

        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isFalse();
        assertThat(simulator.nowMs()).isEqualTo(before);
        assertThat(lock.tryLock(3, TimeUnit.SECONDS)).isFalse();
        assertThat(simulator.nowMs() - before).isGreaterThanOrEqualTo(3_000);

        held.close();
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("lock waits for longer than the guard's options say")
    void waitsForLong() {
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(5)));
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName("lock and tryLock wait as long as they say, however few polls the options allow")
    void fewPolls() throws InterruptedException {
        LeaseLock once = new LeaseLock(guard, "k", LockOptions.defaults().maxRetries(0));
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(5)));
        long before = simulator.nowMs();

        assertThat(once.tryLock(3, TimeUnit.SECONDS)).isFalse();
        assertThat(simulator.nowMs() - before).isGreaterThanOrEqualTo(3_000);
        once.lock();
        once.unlock();
    }

    @Test
    @DisplayName("a lost lease: unlock throws what happened, once, and the lock can be taken again")
    void lost() {
        lock.lock();
        simulator.advance(Duration.ofMinutes(1));
        Lease next = other.acquire("k");

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lock::unlock)
                .matches(loss -> loss.reason() == LeaseLostException.Reason.EXPIRED);
        assertThat(next.isValid()).isTrue();
        next.close();
        lock.lock();
        simulator.loseLock("k");
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lock::unlock)
                .matches(loss -> loss.reason() == LeaseLostException.Reason.GONE);
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName("a thread whose lease was lost still has its own unlock to do when another thread has the lock")
    void lostToAnotherThread() {
        LeaseLock brief = new LeaseLock(real, "k", LockOptions.defaults().ttl(Duration.ofMillis(50)));
        brief.lock();
        Lease lease = brief.lease();
        await().until(() -> !lease.isValid());

        CompletableFuture.runAsync(() -> {
                    brief.lock();
                    brief.unlock();
                })
                .orTimeout(20, TimeUnit.SECONDS)
                .join();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(brief::unlock);
    }

    @Test
    @DisplayName(
            "a store that fails: locking throws and holds nothing; unlocking throws, and goes on in the background")
    void storeFails() {
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        assertThatExceptionOfType(LockException.class).isThrownBy(lock::tryLock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        lock.lock();
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        assertThatExceptionOfType(LockException.class).isThrownBy(lock::unlock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        simulator.advance(Duration.ofSeconds(5));
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @DisplayName("a wait through failures of the store is no contention")
    void waitedThroughFailures() {
        LeaseLock patient = new LeaseLock(guard, "k", LockOptions.defaults().retryStoreErrors());
        simulator.outage(Duration.ofHours(1));

        assertThatExceptionOfType(AcquisitionTimeoutException.class)
                .isThrownBy(() -> patient.tryLock(3, TimeUnit.SECONDS));
    }

    @Test
    @DisplayName("lock and tryLock do not care for an interrupt, and keep it; the others end with it")
    void interruptedBefore() {
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();

        Thread.currentThread().interrupt();
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        assertThat(Thread.interrupted()).isFalse();

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
        assertThat(simulator.stored("k")).isEmpty();
    }

    @Test
    @DisplayName("an interrupt ends the wait of lockInterruptibly, and not that of lock")
    void interruptedWhileWaiting() throws Exception {
        realLock.lock();
        assertThat(interrupted(Lock::lock)).as("lock waits on").isEqualTo("locked, interrupted");
        realLock.lock();
        assertThat(interrupted(lock -> lock.lockInterruptibly())).isEqualTo("InterruptedException");
        assertThat(interrupted(
                        lock -> assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue()))
                .isEqualTo("InterruptedException");
        realLock.unlock();
        assertThat(real.isLocked("k")).isFalse();
    }

    /** Interrupts a waiter; one that waits on gets the lock then. */
    private String interrupted(Locking locking) throws Exception {
        FutureTask<String> waiter = new FutureTask<>(() -> {
            try {
                locking.lock(realLock);
                realLock.unlock();
                return Thread.interrupted() ? "locked, interrupted" : "locked";
            } catch (InterruptedException e) {
                return Thread.interrupted() ? "still interrupted" : "InterruptedException";
            }
        });
        Thread thread = new Thread(waiter);
        thread.start();
        await().until(() -> real.waiters() == 1);
        thread.interrupt();
        await().until(() -> waiter.isDone() || (real.waiters() == 1 && !thread.isInterrupted()));
        if (!waiter.isDone()) {
            realLock.unlock();
        }
        return waiter.get(20, TimeUnit.SECONDS);
    }

    @FunctionalInterface
    private interface Locking {
        void lock(Lock lock) throws InterruptedException;
    }

    @Test
    @DisplayName("a closed guard refuses, and a waiter hears of it")
    void closed() {
        realLock.lock();
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(realLock::lock);
        await().until(() -> real.waiters() == 1);
        real.close();

        assertThat(waiter)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class);
        assertThatIllegalStateException().isThrownBy(new LeaseLock(real, "other")::lock);
    }

    @Test
    @DisplayName("there are no conditions")
    void conditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
    }
}
