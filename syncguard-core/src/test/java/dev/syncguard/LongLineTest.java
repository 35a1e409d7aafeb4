package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LongLineTest {

    private static final int MANY = 2_000;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofHours(1));

    private static List<CompletableFuture<Lease>> wait(SyncGuard guard, LockOptions options, AbortSignal signal) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> guard.async().acquire("k", options, signal).toCompletableFuture())
                .toList();
    }

    private static Throwable failureOf(CompletableFuture<?> waiter) {
        assertThat(waiter).failsWithin(SOON);
        try {
            waiter.join();
        } catch (CompletionException e) {
            return e.getCause();
        }
        throw new AssertionError("no failure");
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: thousands of waiters of one key that are cancelled by one signal all hear of it")
    void cancelled() {
        try (SyncGuard guard = SyncGuard.of(new MemoryLockBackend());
                Lease held = guard.acquire("k")) {
            AbortSignal signal = AbortSignal.create();
            List<CompletableFuture<Lease>> waiters = wait(guard, PATIENT, signal);

            signal.abort();

            assertThat(waiters)
                    .allSatisfy(waiter -> assertThat(failureOf(waiter)).hasMessageStartingWith("Aborted"));
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: thousands of waiters of one key hear that the guard is closed")
    void closed() {
        SyncGuard guard = SyncGuard.of(new MemoryLockBackend());
        Lease held = guard.acquire("k");
        List<CompletableFuture<Lease>> waiters = wait(guard, PATIENT, AbortSignal.none());

        guard.close();

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(failureOf(waiter)).isInstanceOf(IllegalStateException.class));
        assertThat(held.isValid()).isTrue();
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: thousands of waiters of one key run out of time at once, and each has asked")
    void timedOut() {
        LockSimulator simulator = new LockSimulator();
        simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(2)));
        SyncGuard guard = simulator.newGuard();
        List<CompletableFuture<Lease>> waiters =
                wait(guard, PATIENT.waitAtMost(Duration.ofSeconds(1)), AbortSignal.none());

        simulator.advance(Duration.ofSeconds(2));

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(failureOf(waiter))
                        .isInstanceOfSatisfying(
                                AcquisitionTimeoutException.class,
                                e -> assertThat(e.attempts()).isPositive()));
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: thousands of waiters that wait for one slow request all take their turn after it")
    void turns() {
        LockSimulator simulator = new LockSimulator();
        simulator.newGuard().acquire("k", LockOptions.defaults().ttl(Duration.ofHours(2)));
        SyncGuard guard = simulator.newGuard();
        simulator.delayReply(Operation.ACQUIRE, Duration.ofMillis(1050));
        List<CompletableFuture<Lease>> waiters =
                wait(guard, PATIENT.waitAtMost(Duration.ofSeconds(1)), AbortSignal.none());

        simulator.advance(Duration.ofSeconds(2));

        assertThat(waiters)
                .allSatisfy(waiter -> assertThat(failureOf(waiter))
                        .isInstanceOfSatisfying(
                                AcquisitionTimeoutException.class,
                                e -> assertThat(e.attempts()).isPositive()));
    }
}
