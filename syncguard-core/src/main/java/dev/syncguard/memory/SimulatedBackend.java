package dev.syncguard.memory;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.memory.LockSimulator.Fault;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The memory store as one simulated process reaches it: through faults. */
final class SimulatedBackend extends ForwardingLockBackend {

    private final LockSimulator simulator;
    private final VirtualTime.Machine machine;

    SimulatedBackend(LockSimulator simulator, VirtualTime.Machine machine, MemoryLockBackend target) {
        super(target);
        this.simulator = simulator;
        this.machine = machine;
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return reach(Operation.ACQUIRE, () -> grant(request, signal));
    }

    private AcquireOutcome grant(AcquireRequest request, AbortSignal signal) {
        AcquireOutcome outcome = target().acquire(request, signal);
        if (outcome instanceof Granted) {
            simulator.granted(request.lockId(), machine);
        }
        return outcome;
    }

    @Override
    public ReleaseOutcome release(LockId lockId, AbortSignal signal) {
        return reach(Operation.RELEASE, () -> target().release(lockId, signal));
    }

    @Override
    public ExtendOutcome extend(LockId lockId, Ttl ttl, AbortSignal signal) {
        return reach(Operation.EXTEND, () -> target().extend(lockId, ttl, signal));
    }

    @Override
    public boolean isLocked(LockKey key, AbortSignal signal) {
        return reach(Operation.IS_LOCKED, () -> target().isLocked(key, signal));
    }

    @Override
    public Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return reach(Operation.FIND, () -> target().findByKey(key, signal));
    }

    @Override
    public Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return reach(Operation.FIND, () -> target().findById(lockId, signal));
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.of(new Async());
    }

    @Override
    public void close() {
        machine.close();
    }

    private <T> T reach(Operation operation, Supplier<T> call) {
        Fault fault = simulator.takeFault(operation);
        T result = meet(fault, call);
        simulator.time().advance(fault.delay().toNanos(), null);
        return result;
    }

    private static <T> T meet(Fault fault, Supplier<T> call) {
        LockException failure = fault.failure();
        if (failure != null && !fault.reachesStore()) {
            throw failure;
        }
        T result = call.get();
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    /** The same without a thread: a delayed reply arrives when the simulated time has come. */
    private final class Async implements AsyncLockBackend {

        @Override
        public CompletionStage<AcquireOutcome> acquire(AcquireRequest request, AbortSignal signal) {
            return reachAsync(Operation.ACQUIRE, () -> grant(request, signal));
        }

        @Override
        public CompletionStage<ReleaseOutcome> release(LockId lockId, AbortSignal signal) {
            return reachAsync(Operation.RELEASE, () -> target().release(lockId, signal));
        }

        @Override
        public CompletionStage<ExtendOutcome> extend(LockId lockId, Ttl ttl, AbortSignal signal) {
            return reachAsync(Operation.EXTEND, () -> target().extend(lockId, ttl, signal));
        }

        @Override
        public CompletionStage<Boolean> isLocked(LockKey key, AbortSignal signal) {
            return reachAsync(Operation.IS_LOCKED, () -> target().isLocked(key, signal));
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findByKey(LockKey key, AbortSignal signal) {
            return reachAsync(Operation.FIND, () -> target().findByKey(key, signal));
        }

        @Override
        public CompletionStage<Optional<StoredLock>> findById(LockId lockId, AbortSignal signal) {
            return reachAsync(Operation.FIND, () -> target().findById(lockId, signal));
        }

        private <T> CompletionStage<T> reachAsync(Operation operation, Supplier<T> call) {
            Fault fault = simulator.takeFault(operation);
            CompletableFuture<T> reply = new CompletableFuture<>();
            Runnable arrive;
            try {
                T result = meet(fault, call);
                arrive = () -> reply.complete(result);
            } catch (LockException e) {
                arrive = () -> reply.completeExceptionally(e);
            }
            if (fault.delay().isZero()) {
                arrive.run();
            } else {
                simulator.time().schedule(machine, fault.delay().toNanos(), arrive);
            }
            return reply;
        }
    }
}
