package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AsyncLimitTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final Set<String> reached = ConcurrentHashMap.newKeySet();
    private final GatedBackend store = new GatedBackend(Duration.ofSeconds(30)) {
        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            reached.add(request.key().value());
            return super.acquire(request, signal);
        }
    };
    private final SyncGuard guard = SyncGuard.builder(store).threads(2).build();
    private final List<CompletableFuture<Lease>> stuck = new ArrayList<>();

    @BeforeEach
    void occupyThePool() {
        store.acquires.shut();
        for (int i = 0; i < 2; i++) {
            stuck.add(guard.async().acquire("stuck" + i).toCompletableFuture());
        }
        await().until(() -> store.acquires.waiting() == 2);
    }

    @AfterEach
    void end() {
        store.acquires.open();
        guard.close();
    }

    @Test
    @Rule("WAI-14")
    @DisplayName("M5: waitAtMost holds although every thread of the pool is busy, and nothing is sent")
    void limitHolds() {
        LockOptions options = LockOptions.defaults().waitAtMost(Duration.ofMillis(100));

        CompletableFuture<Lease> late = Driver.ASYNCHRONOUS.acquire(guard, "late", options);
        CompletableFuture<AcquireResult> tried =
                guard.async().tryAcquire("tried", Duration.ofMillis(100)).toCompletableFuture();

        assertThat(late)
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseInstanceOf(AcquisitionTimeoutException.class)
                .withMessageContaining("the store was not asked")
                .withMessageNotContaining("the lock was not free");
        assertThat(tried).succeedsWithin(SOON).isInstanceOf(Contended.class);
        assertThat(stuck).noneMatch(CompletableFuture::isDone);
        openAndDrain();
        assertThat(reached).containsExactlyInAnyOrder("stuck0", "stuck1", "after");
    }

    @Test
    @Rule("WAI-14")
    @DisplayName("M5: what was cancelled before it was sent is not sent")
    void cancelledIsNotSent() {
        AbortSignal signal = AbortSignal.create();
        CompletableFuture<Lease> bySignal =
                Driver.ASYNCHRONOUS.acquire(guard, "signal", LockOptions.defaults(), signal);
        CompletableFuture<Lease> byStage = Driver.ASYNCHRONOUS.acquire(guard, "stage", LockOptions.defaults());
        CompletableFuture<AcquireResult> once =
                guard.async().tryAcquire("once", LockOptions.defaults(), signal).toCompletableFuture();

        signal.abort();
        byStage.cancel(false);

        assertThat(bySignal).failsWithin(SOON).withThrowableThat().withMessageContaining("Aborted");
        assertThat(once).failsWithin(SOON).withThrowableThat().withMessageContaining("Aborted");
        openAndDrain();
        assertThat(reached).containsExactlyInAnyOrder("stuck0", "stuck1", "after");
    }

    private void openAndDrain() {
        store.acquires.open();
        assertThat(stuck).allSatisfy(waiter -> assertThat(waiter).succeedsWithin(SOON));
        assertThat(guard.async().acquire("after").toCompletableFuture()).succeedsWithin(SOON);
        assertThat(guard.async().acquire("after", LockOptions.defaults().maxRetries(0)))
                .failsWithin(SOON);
    }

    @Test
    @Rule("WAI-6")
    @DisplayName(
            "E7: a request that was given up keeps its turn while the store still has it: one at a time for each key")
    void oneAtATime() {
        GatedBackend hanging = new GatedBackend(Duration.ofSeconds(1));
        LockOptions options = LockOptions.defaults().waitAtMost(Duration.ofMillis(50));
        hanging.acquires.shut();
        try (SyncGuard other = SyncGuard.builder(hanging).threads(4).build()) {
            CompletableFuture<Lease> first = Driver.ASYNCHRONOUS.acquire(other, "k", options);
            await().until(() -> hanging.acquires.waiting() == 1);
            assertThat(first).failsWithin(SOON);

            assertThat(Driver.ASYNCHRONOUS.acquire(other, "k", options)).failsWithin(SOON);

            assertThat(hanging.acquires.waiting()).isEqualTo(1);
            hanging.acquires.open();
        }
    }
}
