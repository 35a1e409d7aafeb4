package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.spi.LeaseObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EndsWhileClosingTest {

    private final CompletableFuture<Void> ending = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** Keeps the timer's thread, where the acquire ends, until the guard is closed. */
    private void hesitate(LeaseEvent event) {
        boolean onTimer = Thread.currentThread().getName().startsWith("syncguard-timer");
        if (onTimer && event.type() == LeaseEvent.Type.NOT_GRANTED) {
            ending.complete(null);
            closed.orTimeout(20, TimeUnit.SECONDS).join();
        }
    }

    @Test
    @DisplayName("the stage of an acquire whose time is up completes although its guard closes at that moment")
    void timedOut() {
        MemoryLockBackend store = new MemoryLockBackend();
        ForwardingLockBackend backend = new ForwardingLockBackend(store) {
            @Override
            public Optional<LeaseObserver> leaseObserver() {
                return Optional.of(EndsWhileClosingTest.this::hesitate);
            }
        };
        SyncGuard guard = SyncGuard.of(backend);
        try (SyncGuard other = SyncGuard.of(store);
                Lease lease = other.acquire("k")) {
            CompletableFuture<Lease> waiting = guard.async()
                    .acquire("k", LockOptions.defaults().waitAtMost(Duration.ofMillis(1500)))
                    .toCompletableFuture();
            ending.orTimeout(20, TimeUnit.SECONDS).join();

            guard.close();
            closed.complete(null);

            assertThat(waiting)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withCauseInstanceOf(AcquisitionTimeoutException.class);
            assertThat(lease.isValid()).isTrue();
        }
    }
}
