package dev.syncguard.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Fence;
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
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** What the reference manual and the Javadoc of Spring Integration promise: there are no published contract tests. */
@SuppressWarnings("LockNotBeforeTry") // locking and unlocking are what is tested
class SyncGuardLockRegistryTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();
    private final SyncGuardLockRegistry registry = new SyncGuardLockRegistry(guard);

    private final List<Fence> written = new ArrayList<>();
    private final MemoryLockBackend store = new MemoryLockBackend();
    private final SyncGuard real = SyncGuard.of(store);
    private final SyncGuardLockRegistry realRegistry = new SyncGuardLockRegistry(real);

    @AfterEach
    void nothingIsLeft() {
        assertThat(Thread.interrupted()).isFalse();
        assertThat(registry.remembered()).isZero();
        assertThat(realRegistry.remembered()).isZero();
        assertThat(real.heldLeases()).isZero();
        real.close();
    }

    private static <T> T elsewhere(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task).start();
        return task.get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("a lock is in the store while it is held, and its fence is at hand")
    void locks() {
        DistributedLock lock = registry.obtain("k");
        lock.lock();
        assertThat(other.isLocked("k")).isTrue();
        assertThat(registry.lease("k").fence()).isEqualTo(simulator.lastFence("k"));
        lock.unlock();
        assertThat(other.isLocked("k")).isFalse();
    }

    @Test
    @DisplayName("a lock is reentrant, also through another object of the same key; the last unlock releases")
    void reentrant() throws InterruptedException {
        registry.obtain("k").lock();
        registry.obtain("k").lockInterruptibly();
        assertThat(registry.obtain("k").tryLock()).isTrue();
        assertThat(registry.obtain("k").tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(simulator.fenceCounter("k")).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            registry.obtain("k").unlock();
            assertThat(other.isLocked("k")).isTrue();
        }
        registry.obtain("k").unlock();
        assertThat(other.isLocked("k")).isFalse();
    }

    @Test
    @DisplayName("different keys are different locks; a prefix keeps a registry apart")
    void keys() {
        SyncGuardLockRegistry apart = new SyncGuardLockRegistry(guard, "apart:", guard.options());
        List<DistributedLock> locks = List.of(registry.obtain("a"), registry.obtain("b"), apart.obtain("a"));
        locks.forEach(lock -> assertThat(lock.tryLock()).isTrue());
        assertThat(other.isLocked("apart:a")).isTrue();
        locks.forEach(DistributedLock::unlock);
        assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(42));
        assertThat(apart.remembered()).isZero();
    }

    @Test
    @DisplayName("only the owner unlocks: another thread, and an owner twice, get an IllegalStateException")
    void notTheOwner() throws Exception {
        DistributedLock lock = realRegistry.obtain("k");
        assertThatIllegalStateException().isThrownBy(lock::unlock);
        lock.lock();
        elsewhere(() -> {
            assertThatIllegalStateException().isThrownBy(lock::unlock);
            assertThatIllegalStateException().isThrownBy(() -> realRegistry.lease("k"));
            assertThatIllegalStateException().isThrownBy(() -> realRegistry.renewLock("k"));
            return assertThat(lock.tryLock()).isFalse();
        });
        assertThat(real.isLocked("k")).isTrue();
        lock.unlock();
        assertThatIllegalStateException().isThrownBy(lock::unlock);
    }

    @Test
    @DisplayName("tryLock is false while another thread or another process has it, after the time that was given")
    void contended() throws Exception {
        Lease held = other.acquire("k", LockOptions.defaults().autoExtend());
        long before = simulator.nowMs();
        assertThat(registry.obtain("k").tryLock()).isFalse();
        assertThat(registry.obtain("k").tryLock(3, TimeUnit.SECONDS)).isFalse();
        assertThat(simulator.nowMs() - before).isGreaterThanOrEqualTo(2_900);
        held.close();

        realRegistry.obtain("k").lock();
        assertThat(elsewhere(() -> realRegistry.obtain("k").tryLock(5, TimeUnit.MILLISECONDS)))
                .isFalse();
        realRegistry.obtain("k").unlock();
    }

    @Test
    @DisplayName("a lock that was lost: unlock throws a ConcurrentModificationException, touches no other, and is over")
    void lost() {
        DistributedLock lock = registry.obtain("k");
        lock.lock();
        simulator.advance(Duration.ofMinutes(1));
        Lease next = other.acquire("k");

        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withCauseInstanceOf(LeaseLostException.class);
        assertThat(next.isValid()).isTrue();
        next.close();
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName(
            "a reentrant lock notices that the lock was lost: lock throws, tryLock is false and leaves nothing to unlock")
    void lostBeforeReentry() throws InterruptedException {
        registry.obtain("k").lock();
        simulator.loseLock("k");
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(() -> registry.obtain("k").lock());
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(() -> registry.obtain("k").unlock());

        registry.obtain("k").lock();
        registry.obtain("k").lock();
        simulator.loseLock("k");
        assertThat(registry.obtain("k").tryLock()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> registry.obtain("k").unlock());
        assertThat(registry.obtain("k").tryLock(1, TimeUnit.SECONDS)).isTrue();
        registry.obtain("k").unlock();
        assertThat(other.isLocked("k")).isFalse();
    }

    @Test
    @DisplayName("a reentrant lock prolongs the lock to its ttl")
    void reentryProlongs() {
        registry.obtain("k").lock();
        simulator.advance(Duration.ofSeconds(20));
        registry.obtain("k").lock();
        assertThat(left()).isEqualTo(Duration.ofSeconds(30));
        registry.obtain("k").unlock();
        registry.obtain("k").unlock();
    }

    @Test
    @DisplayName("a leader whose lock was taken away is revoked, elected again, and gives the lock back at its end")
    void leader() throws Exception {
        AtomicInteger granted = new AtomicInteger();
        AtomicInteger revoked = new AtomicInteger();
        LockRegistryLeaderInitiator election =
                new LockRegistryLeaderInitiator(realRegistry, new DefaultCandidate("me", "k") {
                    @Override
                    public void onGranted(Context context) {
                        granted.incrementAndGet();
                    }

                    @Override
                    public void onRevoked(Context context) {
                        revoked.incrementAndGet();
                    }
                });
        election.setHeartBeatMillis(20);
        election.setBusyWaitMillis(20);
        election.start();
        for (int round = 1; round <= 2; round++) {
            int rounds = round;
            await().until(() -> granted.get() == rounds);
            try (SyncGuard thief = SyncGuard.of(store)) {
                assertThat(thief.release(thief.lookupRaw("k").orElseThrow().lockId()))
                        .isTrue();
                if (thief.tryAcquire("k") instanceof Lease stolen) {
                    await().until(() -> revoked.get() == rounds);
                    stolen.close();
                }
            }
        }
        await().until(() -> granted.get() == 3);
        election.stop();
        await().until(() -> revoked.get() == 3 && !real.isLocked("k"));
        election.destroy();
    }

    @Test
    @DisplayName(
            "a store that fails: locking throws and holds nothing, unlocking is over for the thread and goes on in the background")
    void storeFails() {
        DistributedLock lock = registry.obtain("k");
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);
        assertThatExceptionOfType(LockException.class).isThrownBy(lock::lock);
        assertThat(registry.remembered()).isZero();
        lock.lock();
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        lock.unlock();
        assertThatIllegalStateException().isThrownBy(lock::unlock);
        simulator.advance(Duration.ofSeconds(5));
        assertThat(other.isLocked("k")).isFalse();
    }

    @Test
    @DisplayName("a ttl of one's own, and renewals by the owner, reentrant locks included")
    void ttl() throws InterruptedException {
        registry.obtain("k").lock(Duration.ofMinutes(5));
        assertThat(left()).isEqualTo(Duration.ofMinutes(5));
        registry.renewLock("k");
        assertThat(left()).isEqualTo(Duration.ofSeconds(30));
        registry.renewLock("k", Duration.ofMinutes(2));
        assertThat(left()).isEqualTo(Duration.ofMinutes(2));
        simulator.loseLock("k");
        assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("k"));
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(registry.obtain("k")::unlock);

        assertThat(registry.obtain("k").tryLock(Duration.ofSeconds(1), Duration.ofMinutes(7)))
                .isTrue();
        assertThat(left()).isEqualTo(Duration.ofMinutes(7));
        registry.obtain("k").unlock();
    }

    private Duration left() {
        return Duration.ofMillis(simulator.stored("k").orElseThrow().expiresAtMs() - simulator.nowMs());
    }

    @Test
    @DisplayName("executeLocked: the result, the task's own exception, a timeout, an interrupt; unlocked in each case")
    void executeLocked() throws Exception {
        LockRegistry<DistributedLock> locks = registry;
        assertThat(locks.<String, RuntimeException>executeLocked("k", () -> "done"))
                .isEqualTo("done");
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> locks.<String, RuntimeException>executeLocked("k", () -> {
                    throw new StackOverflowError("mine");
                }));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> locks.<String, RuntimeException>executeLocked("k", () -> "never"));
        assertThat(other.isLocked("k")).isFalse();
        Lease held = other.acquire("k", LockOptions.defaults().autoExtend());
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(
                        () -> locks.<String, RuntimeException>executeLocked("k", Duration.ofSeconds(2), () -> "never"));
        held.close();
    }

    @Test
    @DisplayName("an interrupt ends lockInterruptibly, whether it waits here or in the store, and not lock")
    void interrupted() throws Exception {
        for (boolean here : new boolean[] {true, false}) {
            Lease held = here ? null : real.acquire("k", LockOptions.defaults().autoExtend());
            if (here) {
                realRegistry.obtain("k").lock();
            }
            List<String> ends = new ArrayList<>();
            Thread thread = new Thread(() -> {
                try {
                    realRegistry.obtain("k").lockInterruptibly();
                } catch (InterruptedException e) {
                    ends.add("interrupted");
                }
            });
            thread.start();
            await().until(() -> here
                    ? thread.getState() == Thread.State.WAITING && realRegistry.remembered() == 1
                    : real.waiters() == 1);
            thread.interrupt();
            thread.join(20_000);
            assertThat(ends).containsExactly("interrupted");
            if (held == null) {
                realRegistry.obtain("k").unlock();
            } else {
                held.close();
            }
        }
        Thread.currentThread().interrupt();
        realRegistry.obtain("k").lock();
        assertThat(Thread.interrupted()).isTrue();
        realRegistry.obtain("k").unlock();
    }

    @Test
    @DisplayName("many threads, one at a time, and nothing remembered afterwards")
    void manyThreads() {
        int[] count = {0};
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(CompletableFuture.runAsync(() -> {
                for (int j = 0; j < 50; j++) {
                    DistributedLock lock = realRegistry.obtain("k");
                    lock.lock();
                    try {
                        count[0]++;
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        assertThat(count[0]).isEqualTo(400);
    }

    @Test
    @DisplayName("there are no conditions")
    void conditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(registry.obtain("k")::newCondition);
    }

    @Test
    @DisplayName("a run with another Spring Integration really has it")
    void version() {
        assertThat(LockRegistry.class.getProtectionDomain().getCodeSource().getLocation())
                .asString()
                .contains(System.getProperty("spring-integration.expected", ""));
    }

    @Test
    @DisplayName("the code of the README runs")
    void readme() throws InterruptedException {
        SyncGuardLockRegistry registry = lockRegistry(real);
        registry.executeLocked("orders", () -> write(registry.lease("orders").fence()));
        assertThat(written).containsExactly(new Fence(1));
    }

    private void write(Fence fence) {
        written.add(fence);
    }

    SyncGuardLockRegistry lockRegistry(SyncGuard guard) {
        return new SyncGuardLockRegistry(guard, "integration:", guard.options().autoExtend());
    }
}
