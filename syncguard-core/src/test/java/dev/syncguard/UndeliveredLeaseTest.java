package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UndeliveredLeaseTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions LONG = LockOptions.defaults().ttl(Duration.ofMinutes(5));

    private final Queue<Runnable> executor = new ConcurrentLinkedQueue<>();
    private final MemoryLockBackend store = new MemoryLockBackend();
    private final SyncGuard guard =
            SyncGuard.builder(store).executor(executor::add).build();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        guard.close();
        log.close();
    }

    private boolean isLocked() {
        return store.isLocked(LockKey.of("k"), AbortSignal.none());
    }

    private void runAll() {
        for (Runnable task = executor.poll(); task != null; task = executor.poll()) {
            task.run();
        }
    }

    private static void assertClosed(CompletableFuture<?> stage) {
        assertThat(stage)
                .failsWithin(SOON)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("C2: a lease that the executor has not delivered yet is released when the guard closes")
    void closed() {
        CompletableFuture<Lease> acquiring = guard.async().acquire("k", LONG).toCompletableFuture();
        await().until(() -> isLocked() && !executor.isEmpty());

        guard.close();

        assertThat(isLocked()).isFalse();
        assertThat(log.messages()).isEmpty();
        await().until(() -> executor.size() > 1);
        runAll();
        assertClosed(acquiring);
    }

    @Test
    @DisplayName("C2: an executor that has dropped its tasks keeps no lock beyond the guard")
    void dropped() {
        CompletableFuture<Lease> acquiring = guard.async().acquire("k", LONG).toCompletableFuture();
        await().until(() -> isLocked() && !executor.isEmpty());
        executor.clear();

        guard.close();

        assertThat(isLocked()).isFalse();
        await().until(() -> !executor.isEmpty());
        runAll();
        assertClosed(acquiring);
    }

    @Test
    @DisplayName("C2: a body that the executor has not begun when the guard closes never begins")
    void bodyNotBegun() {
        CompletableFuture<String> calling = guard.async()
                .call("k", LONG, lease -> CompletableFuture.completedFuture("it ran"))
                .toCompletableFuture();
        await().until(() -> isLocked() && !executor.isEmpty());

        guard.close();

        assertThat(isLocked()).isFalse();
        runAll();
        assertClosed(calling);
    }

    @Test
    @DisplayName("a lease that a continuation has is not taken from it when the guard closes")
    void delivered() {
        CompletableFuture<Boolean> valid = guard.async()
                .acquire("k", LONG)
                .thenApply(lease -> {
                    guard.close();
                    return lease.isValid() && isLocked();
                })
                .toCompletableFuture();
        await().until(() -> !executor.isEmpty());

        runAll();

        assertThat(valid).succeedsWithin(SOON).isEqualTo(true);
    }
}
