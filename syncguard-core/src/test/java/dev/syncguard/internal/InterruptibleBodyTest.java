package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
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

class InterruptibleBodyTest {

    private final CompletableFuture<Void> losing = new CompletableFuture<>();
    private final CompletableFuture<Void> bodyRuns = new CompletableFuture<>();
    private final CompletableFuture<Void> told = new CompletableFuture<>();

    /** Keeps the thread that noticed the loss, before it tells anyone, until the body runs. */
    private void hesitate(LeaseEvent event) {
        if (event.type() == LeaseEvent.Type.LOST) {
            losing.complete(null);
            bodyRuns.orTimeout(20, TimeUnit.SECONDS).join();
        }
    }

    @Test
    @DisplayName("interruptOnLoss leaves no interrupt behind if the loss is noticed at the moment when the body begins")
    void lostAtTheBeginning() {
        LockOptions options = LockOptions.defaults().ttl(Duration.ofMillis(200)).onLost(loss -> told.complete(null));
        ForwardingLockBackend backend = new ForwardingLockBackend(new MemoryLockBackend()) {
            @Override
            public Optional<LeaseObserver> leaseObserver() {
                return Optional.of(InterruptibleBodyTest.this::hesitate);
            }
        };
        try (SyncGuard guard = SyncGuard.of(backend)) {
            LeaseHandle lease = (LeaseHandle) guard.acquire("k", options);
            losing.orTimeout(20, TimeUnit.SECONDS).join();

            new InterruptibleBody().run(lease, held -> {
                bodyRuns.complete(null);
                told.orTimeout(20, TimeUnit.SECONDS);
                while (!told.isDone()) {
                    Thread.onSpinWait(); // does not notice the interrupt
                }
                return told.join();
            });

            assertThat(Thread.interrupted()).isFalse();
        }
    }
}
