package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionExecutorTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final MemoryLockBackend memory = new MemoryLockBackend();

    private LockBackend store(boolean nativeAsync) {
        return nativeAsync ? memory : new BlockingBackend(memory);
    }

    private SyncGuard guard(boolean nativeAsync, Executor executor) {
        return SyncGuard.builder(store(nativeAsync)).executor(executor).build();
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("THR-2")
    @DisplayName("M1: stages complete on the executor that the builder was given")
    void givenExecutor(boolean nativeAsync) {
        CountDownLatch listening = new CountDownLatch(1);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Executor given = task -> new Thread(
                        () -> {
                            CompensationTest.awaitUninterruptibly(listening);
                            task.run();
                        },
                        "given")
                .start();
        try (SyncGuard guard = guard(nativeAsync, given)) {
            CompletableFuture<Boolean> released = guard.async()
                    .acquire("k")
                    .thenCompose(lease -> {
                        threads.add(here());
                        return lease.releaseAsync();
                    })
                    .toCompletableFuture();
            listening.countDown(); // from now on: the continuation above is attached
            assertThat(released).succeedsWithin(SOON).isEqualTo(true);
        }
        assertThat(threads).containsExactly("given");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("THR-2")
    @DisplayName(
            "M1: an executor that runs tasks in its caller gets none of them from a thread that keeps leases alive")
    void callerRuns(boolean nativeAsync) {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (SyncGuard guard = guard(nativeAsync, task -> {
                    threads.add(here());
                    task.run();
                });
                Lease held = guard.acquire("k")) {
            CompletableFuture<AcquireResult> waiter =
                    guard.async().tryAcquire("k", Duration.ofMillis(50)).toCompletableFuture();
            CompletableFuture<LeaseLostException> lost = new CompletableFuture<>();
            guard.acquire("short", LockOptions.defaults().ttl(Duration.ofMillis(50)))
                    .onLost(lost::complete);

            assertThat(waiter).succeedsWithin(SOON).isInstanceOf(Contended.class);
            assertThat(lost).succeedsWithin(SOON);
            assertThat(held.isValid()).isTrue();
        }
        assertThat(threads).isNotEmpty().noneMatch(name -> name.matches("syncguard-(timer|upkeep).*"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("THR-2")
    @DisplayName("M1: a body never starts on the thread that asked for it, however quick the lock came")
    void bodyNotInCaller(boolean nativeAsync) {
        Executor quick = task -> CompletableFuture.runAsync(task, work -> new Thread(work, "given").start())
                .join();
        try (SyncGuard guard = guard(nativeAsync, quick)) {
            CompletableFuture<String> body = guard.async()
                    .call("k", lease -> CompletableFuture.completedStage(here()))
                    .toCompletableFuture();

            assertThat(body).succeedsWithin(SOON).isEqualTo("given");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("interruptOnLoss does not wait for an executor that runs nothing")
    void interruptWithoutExecutor(boolean nativeAsync) {
        LockOptions options = LockOptions.defaults().ttl(Duration.ofMillis(100)).interruptOnLoss();
        try (SyncGuard guard = guard(nativeAsync, task -> {})) {
            CompletableFuture<Boolean> body = Blocked.start(() -> guard.call("k", options, lease -> {
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.park(lease);
                }
                return true;
            }));

            assertThat(body).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeaseLostException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("E3: a guard that closes waits until a granted lease has an owner, or is released")
    void closeWaitsForDelivery(boolean nativeAsync) throws InterruptedException {
        Queue<Runnable> kept = new ConcurrentLinkedQueue<>();
        LockBackend patient = new ForwardingLockBackend(store(nativeAsync)) {
            @Override
            public Duration commandTimeout() {
                return SOON; // closing waits twice as long
            }
        };
        SyncGuard guard = SyncGuard.builder(patient).executor(kept::add).build();
        CompletableFuture<Lease> stage = guard.async().acquire("k").toCompletableFuture();
        await().until(() -> !kept.isEmpty());

        Thread closing = new Thread(guard::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        stage.cancel(false);
        closing.join(SOON.toMillis());

        assertThat(closing.isAlive()).isFalse();
        assertThat(memory.isLocked(LockKey.of("k"), AbortSignal.none())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule("THR-2")
    @DisplayName(
            "M1: what a full pool hands back to its caller runs on the guard's own threads, not where replies arrive")
    void fullPool(boolean nativeAsync) {
        AtomicBoolean full = new AtomicBoolean();
        Executor pool = task -> {
            if (full.get()) {
                task.run();
            } else {
                new Thread(task, "given").start();
            }
        };
        try (SyncGuard guard = guard(nativeAsync, pool)) {
            assertThat(guard.async().isLocked("k").toCompletableFuture()).succeedsWithin(SOON);
            full.set(true);

            CompletableFuture<String> body = guard.async()
                    .call("k", lease -> CompletableFuture.completedStage(here()))
                    .toCompletableFuture();

            assertThat(body).succeedsWithin(SOON).asString().startsWith("syncguard-completion");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a lease that an executor never handed over goes back when its caller cancels")
    void droppedAndCancelled(boolean nativeAsync) {
        AtomicInteger dropped = new AtomicInteger();
        try (SyncGuard guard = guard(nativeAsync, task -> dropped.incrementAndGet())) {
            CompletableFuture<Lease> lease = guard.async()
                    .acquire("k", LockOptions.defaults().autoExtend())
                    .toCompletableFuture();
            await().until(() -> dropped.get() > 0);
            assertThat(memory.isLocked(LockKey.of("k"), AbortSignal.none())).isTrue();

            lease.cancel(true);

            await().until(() -> !memory.isLocked(LockKey.of("k"), AbortSignal.none()));
        }
    }
}
