package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.LockSimulator;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers of the guard to a caller that does not wait, or waits for itself. */
class ContendedTest {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuard other = simulator.newGuard();
    private final LogCapture log = LogCapture.start();

    @AfterEach
    void end() {
        log.close();
        guard.close();
        other.close();
    }

    @ParameterizedTest
    @EnumSource
    @Rule("WAI-10")
    @DisplayName("tryAcquire asks once, gives Contended with the time left, and registers no waiter")
    void tryOnce(Driver driver) {
        ConcurrentLinkedQueue<AcquireRequest> requests = new ConcurrentLinkedQueue<>();
        LockBackend recording = new BlockingBackend(simulator.newBackend()) {
            @Override
            public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                requests.add(request);
                return super.acquire(request, signal);
            }
        };
        other.acquire("k", LockOptions.defaults().ttl(Duration.ofSeconds(7)));
        try (SyncGuard recorded = SyncGuard.of(recording)) {
            assertThat(Blocked.result(driver.tryAcquire(recorded, "k", recorded.options())))
                    .isEqualTo(new Contended(Duration.ofSeconds(8)));
            AcquireResult free = Blocked.result(driver.tryAcquire(recorded, "free", recorded.options()));
            assertThat(free).isInstanceOf(Lease.class);
            ((Lease) free).close(); // or the guard warns of it, perhaps during the next test
        }
        assertThat(requests).hasSize(2).noneMatch(AcquireRequest::willWait);
    }

    @Test
    @Rule("WAI-11")
    @DisplayName("a thread that waits for itself is warned of, by the hash of the key")
    void selfWait() {
        CompletableFuture<Lease> waiter = Blocked.start(() -> {
            guard.acquire("secret-key");
            return guard.acquire("secret-key", PATIENT.waitAtMost(Duration.ofMillis(500)));
        });

        await().until(() -> !log.messages().isEmpty());
        simulator.advance(Duration.ofSeconds(1));

        assertThat(waiter).failsWithin(Duration.ofSeconds(20));
        assertThat(log.messages())
                .singleElement()
                .asString()
                .contains("re-entrant")
                .contains(KeyHash.canonical().hash("secret-key"))
                .doesNotContain("secret-key");
    }

    @Test
    @Rule("WAI-11")
    @DisplayName("a lease of the asynchronous view belongs to no thread: nothing waits for itself")
    void selfWaitOfNoThread() {
        AcquireResult second = Blocked.whileAdvancing(simulator, () -> {
            guard.async().acquire("k").toCompletableFuture().join();
            return guard.tryAcquire("k", PATIENT.waitAtMost(Duration.ofMillis(500)));
        });

        assertThat(second).isInstanceOf(Contended.class);
        assertThat(log.messages()).isEmpty();
    }
}
