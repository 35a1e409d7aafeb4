package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that are started by the completion of the last one, on the default executor: the stack does not grow with them. */
class LongChainTest {

    private static final int MANY = 5_000;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final MemoryLockBackend store = new MemoryLockBackend();
    private final SyncGuard guard = SyncGuard.of(store);
    private final AtomicInteger bodies = new AtomicInteger();

    @AfterEach
    void end() {
        guard.close();
    }

    private CompletionStage<?> run() {
        return guard.async()
                .run("k", lease -> CompletableFuture.completedStage(lease).thenAccept(l -> bodies.incrementAndGet()));
    }

    private CompletionStage<?> acquireAndRelease() {
        return guard.async().acquire("k").thenCompose(lease -> {
            bodies.incrementAndGet();
            return lease.releaseAsync();
        });
    }

    /** Starts the next call in the completion of the last one. */
    private static void next(int left, Supplier<CompletionStage<?>> call, CompletableFuture<Boolean> end) {
        if (left == 0) {
            end.complete(true);
            return;
        }
        call.get().whenComplete((done, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
            } else {
                next(left - 1, call, end);
            }
        });
    }

    private void assertAllDone(CompletableFuture<?> end) {
        assertThat(end).succeedsWithin(SOON);
        assertThat(bodies).hasValue(MANY);
        assertThat(guard.isLocked("k")).isFalse();
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: thousands of runs, each started by the completion of the last one, complete")
    void startedByTheLast() {
        CompletableFuture<Boolean> end = new CompletableFuture<>();

        next(MANY, this::run, end);

        assertAllDone(end);
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: thousands of acquires and releases, each started by the completion of the last one, complete")
    void acquiredAndReleased() {
        CompletableFuture<Boolean> end = new CompletableFuture<>();

        next(MANY, this::acquireAndRelease, end);

        assertAllDone(end);
    }

    @Test
    @Rule("THR-4")
    @DisplayName("m4: a chain of thousands of runs that was put together before it started completes")
    void composed() {
        CompletableFuture<Object> start = new CompletableFuture<>();
        CompletionStage<?> chain = start;
        for (int i = 0; i < MANY; i++) {
            chain = chain.thenCompose(done -> run());
        }

        start.complete(true);

        assertAllDone(chain.toCompletableFuture());
    }
}
