package dev.syncguard;

import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A store that can only block, whose replies a test holds back. What is held back has happened already. */
class GatedBackend extends BlockingBackend {

    final Gate acquires = new Gate();
    final Gate releases = new Gate();
    final Gate extensions = new Gate();

    private final Duration commandTimeout;

    /** Creates a store whose requests may take as long as usual in memory. */
    GatedBackend() {
        this(Duration.ofMillis(100));
    }

    GatedBackend(Duration commandTimeout) {
        super(new MemoryLockBackend());
        this.commandTimeout = commandTimeout;
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }

    /** Holds back the replies of one kind of operation while it is shut. */
    static final class Gate {

        private final AtomicReference<CountDownLatch> latch = new AtomicReference<>(new CountDownLatch(0));
        private final AtomicInteger waiting = new AtomicInteger();

        void shut() {
            latch.set(new CountDownLatch(1));
        }

        void open() {
            latch.get().countDown();
        }

        int waiting() {
            return waiting.get();
        }

        private <T> T pass(Supplier<T> call) {
            CountDownLatch shut = latch.get();
            T result = call.get();
            waiting.incrementAndGet();
            try {
                CompensationTest.awaitUninterruptibly(shut);
            } finally {
                waiting.decrementAndGet();
            }
            return result;
        }
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return acquires.pass(() -> super.acquire(request, signal));
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return releases.pass(() -> super.release(request, signal));
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return extensions.pass(() -> super.extend(request, signal));
    }

    boolean isLocked(String key) {
        return target().isLocked(LockKey.of(key), AbortSignal.none());
    }
}
