package dev.syncguard.memory;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.memory.Faults.Fault;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoreDiagnostics;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The memory store as one simulated process reaches it: through faults. */
final class SimulatedBackend extends ForwardingLockBackend {

    private final VirtualTime.Machine machine;
    private final VirtualTime time;
    private final Faults faults;
    private final Holders holders;

    SimulatedBackend(
            MemoryLockBackend target, VirtualTime.Machine machine, VirtualTime time, Faults faults, Holders holders) {
        super(target);
        this.machine = machine;
        this.time = time;
        this.faults = faults;
        this.holders = holders;
    }

    @Override
    public AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return reach(Operation.ACQUIRE, () -> grant(request, signal));
    }

    private AcquireOutcome grant(AcquireRequest request, AbortSignal signal) {
        AcquireOutcome outcome = target().acquire(request, signal);
        if (outcome instanceof Granted) {
            holders.granted(request.key().value(), request.lockId(), machine);
        }
        return outcome;
    }

    @Override
    public ReleaseOutcome release(ReleaseRequest request, AbortSignal signal) {
        return reach(Operation.RELEASE, () -> free(request, signal));
    }

    private ReleaseOutcome free(ReleaseRequest request, AbortSignal signal) {
        Optional<StoredLock> lock = target().findById(request.lockId(), AbortSignal.none());
        ReleaseOutcome outcome = target().release(request, signal);
        lock.ifPresent(found -> holders.released(found.key(), found.lockId()));
        return outcome;
    }

    @Override
    public ExtendOutcome extend(ExtendRequest request, AbortSignal signal) {
        return reach(Operation.EXTEND, () -> target().extend(request, signal));
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
    public Fence raiseFence(LockKey key, Fence atLeast, AbortSignal signal) {
        faults.throwIfOut();
        return target().raiseFence(key, atLeast, signal);
    }

    @Override
    public Optional<LockListing> listing() {
        return target().listing().map(listing -> (cursor, limit, signal) -> {
            faults.throwIfOut();
            return listing.list(cursor, limit, signal);
        });
    }

    @Override
    public Optional<StoreDiagnostics> diagnostics() {
        return target().diagnostics().map(diagnostics -> signal -> {
            faults.throwIfOut();
            return diagnostics.inspect(signal);
        });
    }

    @Override
    public Optional<HandOver> handOver() {
        return target().handOver().map(target -> new SimulatedHandOver(target, holders, machine));
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
        try {
            Fault fault = faults.take(operation);
            T result = meet(fault, call);
            if (!fault.delay().isZero()) { // or thousands of timers of one moment would run inside each other
                time.advance(fault.delay().toNanos());
            }
            return result;
        } finally {
            time.threads().operated();
        }
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
        public CompletionStage<ReleaseOutcome> release(ReleaseRequest request, AbortSignal signal) {
            return reachAsync(Operation.RELEASE, () -> free(request, signal));
        }

        @Override
        public CompletionStage<ExtendOutcome> extend(ExtendRequest request, AbortSignal signal) {
            return reachAsync(Operation.EXTEND, () -> target().extend(request, signal));
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
            CompletableFuture<T> reply = new CompletableFuture<>();
            Fault fault = faults.take(operation);
            Runnable arrive;
            try {
                T result = meet(fault, call);
                arrive = () -> reply.complete(result);
            } catch (Throwable e) {
                arrive = () -> reply.completeExceptionally(e);
            } finally {
                time.threads().operated();
            }
            if (fault.delay().isZero()) {
                arrive.run();
            } else {
                time.deliver(machine, fault.delay().toNanos(), arrive);
            }
            return reply;
        }
    }
}
