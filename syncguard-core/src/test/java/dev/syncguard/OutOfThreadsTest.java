package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException.Code;
import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutOfThreadsTest {

    /** The process cannot start threads until it is relieved. */
    private static final class NoThreads implements Timekeeper {
        private final Timekeeper time = new SystemTimekeeper();
        private volatile boolean relieved;

        private void ensureThreads() {
            if (!relieved) {
                throw new OutOfMemoryError("injected: unable to create native thread");
            }
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public Task schedule(long delayNanos, Runnable task) {
            ensureThreads();
            return time.schedule(delayNanos, task);
        }

        @Override
        public void execute(Executor threads, Runnable task) {
            ensureThreads();
            time.execute(threads, task);
        }

        @Override
        public void close() {
            time.close();
        }
    }

    private final NoThreads time = new NoThreads();
    private final MemoryLockBackend store = new MemoryLockBackend();
    private final AtomicInteger failingReleases = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private final SyncGuard guard = SyncGuard.builder(new BlockingBackend(store) {
                @Override
                public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
                    super.acquire(request, signal);
                    throw new LockException(Code.NETWORK_TIMEOUT, "reply lost", null, true);
                }

                @Override
                public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
                    releases.incrementAndGet();
                    if (failingReleases.getAndDecrement() > 0) {
                        throw new LockException(Code.SERVICE_UNAVAILABLE, "down");
                    }
                    return super.release(request, signal);
                }
            })
            .time(time)
            .build();

    @AfterEach
    void end() {
        time.relieved = true;
        guard.close();
    }

    private boolean isLocked(String key) {
        return store.isLocked(LockKey.of(key), AbortSignal.none());
    }

    private void acquireWithoutReply(String key) {
        assertThatThrownBy(() -> guard.acquire(key)).isInstanceOf(LockException.class);
    }

    @Test
    @Rule("FLT-2")
    @DisplayName("C3: without a thread to be had, the caller itself takes back what it may have been granted")
    void takenBackByTheCaller() {
        acquireWithoutReply("k");

        assertThat(isLocked("k")).isFalse();
        assertThat(guard.pendingReleases()).isZero();
    }

    @Test
    @Rule("FLT-2")
    @DisplayName("C3: what could not even be tried again is taken back when threads are there again")
    void takenBackLater() {
        failingReleases.set(1);
        acquireWithoutReply("stuck");
        assertThat(isLocked("stuck")).isTrue();

        time.relieved = true;
        acquireWithoutReply("next");

        await().until(() -> !isLocked("stuck") && !isLocked("next"));
        await().until(() -> guard.pendingReleases() == 0);
    }

    @Test
    @Rule("FLT-2")
    @DisplayName(
            "C3: a caller does not wait for what others could not take back, and a close without threads does it itself")
    void eachItsOwn() {
        failingReleases.set(5);
        for (int i = 0; i < 5; i++) {
            acquireWithoutReply("stuck " + i);
        }
        assertThat(releases).hasValue(5);

        acquireWithoutReply("next");

        assertThat(releases).hasValue(6);
        assertThat(isLocked("next")).isFalse();
        assertThat(guard.pendingReleases()).isEqualTo(5);
        guard.close();
        for (int i = 0; i < 5; i++) {
            assertThat(isLocked("stuck " + i)).isFalse();
        }
    }
}
