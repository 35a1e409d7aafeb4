package dev.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AsyncStoreTest {

    private final LockBackend backend = new ForwardingLockBackend(new MemoryLockBackend()) {
        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.empty();
        }
    };

    @Test
    @DisplayName("a request that was called back while it waited for a thread is forgotten when its turn comes")
    void calledBack() {
        SystemTimekeeper time = new SystemTimekeeper();
        try (GuardThreads threads = new GuardThreads(1, time)) {
            AsyncStore store = new AsyncStore(new Store(backend), threads, time);
            CountDownLatch others = new CountDownLatch(1);
            threads.acquires().execute(() -> awaitQuietly(others));
            LockKey key = LockKey.of("k");
            AcquireRequest request = new AcquireRequest(key, backend.newLockId(key), new Ttl(1000), false);
            SendGate gate = new SendGate();
            AtomicBoolean late = new AtomicBoolean();
            var asked = store.acquire(request, AbortSignal.none(), gate, outcome -> late.set(true));
            assertThat(store.keysUnderWay()).containsExactly(key);

            assertThat(gate.callBack()).isTrue();
            others.countDown();

            await().until(() -> store.keysUnderWay().findAny().isEmpty());
            assertThat(asked).isNotDone();
            assertThat(late).isFalse();
            assertThat(backend.isLocked(key, AbortSignal.none())).isFalse();
        } finally {
            time.close();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
