package dev.syncguard.benchmarks.memory;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.Ttl;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.telemetry.TelemetryLockBackend;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** An uncontended acquire and release on the in-memory store, each thread with a key of its own. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
public class LockCycleBenchmark {

    /** What all threads share. */
    @State(Scope.Benchmark)
    public static class Shared {
        final MemoryLockBackend backend = new MemoryLockBackend();
        final SyncGuard guard = SyncGuard.of(backend);
        final SyncGuard observed = SyncGuard.of(TelemetryLockBackend.of(backend, event -> {}));
    }

    /** The key of one thread. */
    @State(Scope.Thread)
    public static class Key {
        private static final AtomicInteger COUNT = new AtomicInteger();
        final String name = "invoice:" + COUNT.incrementAndGet();
        final LockKey key = LockKey.of(name);
    }

    /** The facade, one thread. */
    @Benchmark
    @Threads(1)
    public Fence facade1(Shared shared, Key key) {
        return cycle(shared.guard, key);
    }

    /** The facade, two threads with distinct keys. */
    @Benchmark
    @Threads(2)
    public Fence facade2(Shared shared, Key key) {
        return cycle(shared.guard, key);
    }

    /** The facade with telemetry whose listener does nothing, one thread. */
    @Benchmark
    @Threads(1)
    public Fence telemetry1(Shared shared, Key key) {
        return cycle(shared.observed, key);
    }

    /** The backend without the facade, one thread: the floor. */
    @Benchmark
    @Threads(1)
    public AcquireOutcome backend1(Shared shared, Key key) {
        LockId lockId = shared.backend.newLockId(key.key);
        AcquireOutcome outcome =
                shared.backend.acquire(new AcquireRequest(key.key, lockId, Ttl.DEFAULT, false), AbortSignal.none());
        shared.backend.release(lockId, AbortSignal.none());
        return outcome;
    }

    private static Fence cycle(SyncGuard guard, Key key) {
        try (Lease lease = guard.acquire(key.name)) {
            return lease.fence();
        }
    }
}
