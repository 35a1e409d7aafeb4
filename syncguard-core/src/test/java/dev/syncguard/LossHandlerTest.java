package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LossHandlerTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockOptions SHORT =
            LockOptions.defaults().ttl(Duration.ofMillis(200)).interruptOnLoss();

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final List<LeaseLostException> losses = new CopyOnWriteArrayList<>();

    @Test
    @Rule("LSE-23")
    @DisplayName("section 3: a handler that was registered late hears of the loss, once, without anyone looking")
    void late() {
        Lease lease = guard.acquire("k");
        simulator.advance(Duration.ofSeconds(29));
        lease.onLost(losses::add);
        lease.onLost(losses::add);

        simulator.advance(Duration.ofSeconds(2));

        assertThat(losses).as("two registrations").hasSize(2);
        simulator.advance(Duration.ofMinutes(2));
        assertThat(lease.wasLost()).isTrue();
        assertThat(losses).hasSize(2);
    }

    @Test
    @Rule("LSE-23")
    @DisplayName("section 3: a handler that is registered after the loss is called at once")
    void alreadyLost() {
        Lease noticed = guard.acquire("noticed");
        Lease unnoticed = guard.acquire("unnoticed");
        simulator.advance(Duration.ofMinutes(1));
        assertThat(noticed.wasLost()).isTrue();

        noticed.onLost(losses::add);
        assertThat(losses).hasSize(1);
        unnoticed.onLost(losses::add);
        simulator.advance(Duration.ofMillis(1));
        assertThat(losses).hasSize(2);
    }

    @Test
    @Rule("LSE-23")
    @DisplayName("section 3: a released lease calls no handler")
    void released() {
        Lease lease = guard.acquire("k");
        lease.onLost(losses::add);
        lease.close();
        lease.onLost(losses::add);

        simulator.advance(Duration.ofMinutes(1));

        assertThat(losses).isEmpty();
    }

    @Test
    @Rule("LSE-22")
    @DisplayName("section 3: interruptOnLoss interrupts the body, whose failure carries the loss")
    void interrupted() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            CompletableFuture<Boolean> body = Blocked.start(() -> {
                assertThatExceptionOfType(InterruptedException.class)
                        .isThrownBy(() -> real.run("k", SHORT, lease -> new CountDownLatch(1).await()))
                        .satisfies(
                                e -> assertThat(e.getSuppressed()).hasExactlyElementsOfTypes(LeaseLostException.class));
                return Thread.interrupted();
            });

            assertThat(body).succeedsWithin(SOON).isEqualTo(false);
        }
    }

    @RepeatedTest(20)
    @Rule("LSE-22")
    @DisplayName("section 3: interruptOnLoss never leaves an interrupt behind")
    void neverLeaks() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            CompletableFuture<Boolean> body = Blocked.start(() -> {
                try {
                    real.run("k", SHORT.ttl(Duration.ofMillis(5)), lease -> {
                        while (lease.isValid()) {
                            Thread.onSpinWait();
                        }
                    });
                } catch (LockException lost) {
                    // What matters is the flag.
                }
                return Thread.currentThread().isInterrupted();
            });

            assertThat(body).succeedsWithin(SOON).isEqualTo(false);
        }
    }

    @Test
    @Rule("LSE-22")
    @DisplayName("section 3: an interrupt of the application passes a body with interruptOnLoss unharmed")
    void foreignInterrupt() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            LockOptions options = LockOptions.defaults().interruptOnLoss();

            real.run("k", options, lease -> Thread.currentThread().interrupt());

            assertThat(Thread.interrupted()).isTrue();
            await().until(() -> !real.isLocked("k"));
        }
    }

    @Test
    @Rule("LSE-22")
    @DisplayName("section 3: an interrupt of the application before the loss outlives the body")
    void foreignInterruptBeforeTheLoss() {
        try (SyncGuard real = SyncGuard.of(new MemoryLockBackend())) {
            CompletableFuture<Boolean> body = Blocked.start(() -> {
                assertThatExceptionOfType(LeaseLostException.class)
                        .isThrownBy(() -> real.run("k", SHORT, lease -> {
                            Thread.currentThread().interrupt();
                            while (lease.isValid()) {
                                Thread.onSpinWait();
                            }
                        }));
                return Thread.interrupted();
            });

            assertThat(body).succeedsWithin(SOON).isEqualTo(true);
        }
    }
}
