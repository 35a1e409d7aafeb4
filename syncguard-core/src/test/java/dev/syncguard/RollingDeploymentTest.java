package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RollingDeploymentTest {

    private static final int ROUNDS = 50;
    private static final int THREADS = 8;
    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final LockOptions OPTIONS =
            LockOptions.defaults().ttl(Duration.ofMinutes(5)).waitAtMost(Duration.ofMinutes(1));

    private final MemoryLockBackend store = new MemoryLockBackend();
    private final AtomicInteger done = new AtomicInteger();

    @Test
    @DisplayName("C2: guards that are closed under load, at any moment, leave no lock and no thread behind")
    void closedUnderLoad() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Random random = new Random(42);
        for (int round = 0; round < ROUNDS; round++) {
            SyncGuard guard = SyncGuard.of(new SlowBackend(store));
            done.set(0);
            List<CompletableFuture<Boolean>> clients = IntStream.range(0, THREADS)
                    .mapToObj(i -> Blocked.start(() -> workUntilClosed(guard, i)))
                    .toList();
            int enough = random.nextInt(60);
            await().pollInterval(Duration.ofMillis(1)).until(() -> done.get() >= enough);

            guard.close();

            assertThat(clients).allSatisfy(client -> assertThat(client).succeedsWithin(Duration.ofSeconds(20)));
            assertThat(KEYS).as("round %d", round).noneMatch(this::isLocked);
        }
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("syncguard-") && !before.contains(thread)));
    }

    private boolean isLocked(String key) {
        return store.isLocked(LockKey.of(key), AbortSignal.none());
    }

    private boolean workUntilClosed(SyncGuard guard, int client) {
        try {
            while (true) {
                String key = KEYS.get(ThreadLocalRandom.current().nextInt(KEYS.size()));
                work(guard, key, client);
                done.incrementAndGet();
            }
        } catch (IllegalStateException closed) {
            return true;
        } catch (CompletionException e) {
            if (e.getCause() instanceof IllegalStateException) {
                return true;
            }
            throw e;
        }
    }

    private static void work(SyncGuard guard, String key, int client) {
        if (client % 2 == 0) {
            guard.run(key, OPTIONS, lease -> LockSupport.parkNanos(200_000));
        } else {
            guard.async()
                    .run(key, OPTIONS, lease -> CompletableFuture.completedStage(null))
                    .toCompletableFuture()
                    .join();
        }
    }

    /** Takes a moment before and after each request, and does not end with the guard: others use it, too. */
    private static final class SlowBackend extends BlockingBackend {

        SlowBackend(MemoryLockBackend store) {
            super(store);
        }

        @Override
        public Duration commandTimeout() {
            return Duration.ofSeconds(10);
        }

        @Override
        public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
            return slowly(() -> super.acquire(request, signal));
        }

        @Override
        public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
            return slowly(() -> super.release(request, signal));
        }

        private static <T> T slowly(Supplier<T> call) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(500_000));
            T result = call.get();
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(500_000));
            return result;
        }

        @Override
        public void close() {}
    }
}
