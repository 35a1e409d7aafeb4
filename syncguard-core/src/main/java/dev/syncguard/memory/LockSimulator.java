package dev.syncguard.memory;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.SyncGuard;
import dev.syncguard.SyncGuardBuilder;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store, several processes that use it, a clock and faults, all in one test.
 *
 * <pre>{@code
 * LockSimulator simulator = new LockSimulator();
 * SyncGuard here = simulator.newGuard();
 * SyncGuard there = simulator.newGuard();
 *
 * Lease lease = here.acquire("invoice:42", LockOptions.defaults().autoExtend());
 * simulator.pauseHolder("invoice:42", Duration.ofMinutes(1));   // a long garbage collection
 * assert lease.wasLost();
 * assert there.acquire("invoice:42").fence().isNewerThan(lease.fence());
 * }</pre>
 *
 * <p>Time stands still until {@link #advance} or {@link #pauseHolder} moves it; timers of the guards (renewals, timeouts,
 * polls) then run on the thread that moves it. A thread that waits for a lock waits until another one moves the time.
 */
public final class LockSimulator {

    /** An operation that a fault can hit. */
    public enum Operation {
        /** Getting a lock. */
        ACQUIRE,
        /** Releasing a lock. */
        RELEASE,
        /** Extending a lock, by hand or in the background. */
        EXTEND,
        /** Asking whether a key is locked. */
        IS_LOCKED,
        /** Looking up a lock. */
        FIND
    }

    private static final long START_MS = 1_750_000_000_000L;

    private final VirtualTime time = new VirtualTime();
    private final MemoryStore store = new MemoryStore(() -> START_MS + time.now() / 1_000_000);
    private final Map<LockId, VirtualTime.Machine> holders = new ConcurrentHashMap<>();
    private final ReentrantLock faultLock = new ReentrantLock();
    private final Map<Operation, Queue<Fault>> faults = new EnumMap<>(Operation.class);

    /** Makes an empty store at a fixed time. */
    public LockSimulator() {}

    /**
     * Starts a process: a guard of its own on the shared store.
     *
     * @return a guard that lives in the simulated time
     */
    public SyncGuard newGuard() {
        return newGuard(builder -> builder);
    }

    /**
     * Starts a process whose guard has other settings.
     *
     * @param settings what to set at the builder
     * @return a guard that lives in the simulated time
     */
    public SyncGuard newGuard(UnaryOperator<SyncGuardBuilder> settings) {
        VirtualTime.Machine machine = time.new Machine();
        SyncGuardBuilder builder = SyncGuard.builder(backend(machine)).time(machine);
        return settings.apply(builder).build();
    }

    /**
     * Returns the store as a backend, with the faults but without a guard.
     *
     * @return a backend
     */
    public LockBackend newBackend() {
        return backend(time.new Machine());
    }

    private LockBackend backend(VirtualTime.Machine machine) {
        return new SimulatedBackend(this, machine, new MemoryLockBackend(store));
    }

    /**
     * Lets time pass while everybody runs.
     *
     * @param duration how long
     */
    public void advance(Duration duration) {
        time.advance(duration.toNanos(), null);
    }

    /**
     * Lets time pass while the process that holds a key stands still, as in a long garbage collection. What it should have
     * done meanwhile happens late.
     *
     * @param key a key that is locked
     * @param duration how long
     */
    public void pauseHolder(String key, Duration duration) {
        StoredLock lock = store.find(name(key)).orElseThrow(() -> new IllegalStateException("the key is not locked"));
        time.advance(duration.toNanos(), holders.get(lock.lockId()));
    }

    /**
     * Removes a lock from the store behind its holder's back.
     *
     * @param key a key that is locked
     */
    public void loseLock(String key) {
        store.slot(name(key)).lose();
    }

    /**
     * Ages a lock in the store so that it has ended, beyond the tolerance, while no time passes.
     *
     * @param key a key that is locked
     */
    public void expire(String key) {
        expireAgo(key, Duration.ofSeconds(5));
    }

    /**
     * Ages a lock in the store so that it ended some time ago, while no time passes.
     *
     * @param key a key that is locked
     * @param ago how long ago
     */
    public void expireAgo(String key, Duration ago) {
        store.slot(name(key)).expireAt(store.nowMs() - ago.toMillis());
    }

    /**
     * Returns the time by the store's clock.
     *
     * @return milliseconds since the epoch
     */
    public long nowMs() {
        return store.nowMs();
    }

    /**
     * Returns what the store holds for a key, live or not.
     *
     * @param key the key
     * @return the stored lock
     */
    public Optional<StoredLock> stored(String key) {
        return Optional.ofNullable(store.slot(name(key)).held());
    }

    /**
     * Returns where the fence counter of a key stands.
     *
     * @param key the key
     * @return the number, 0 if the key was never locked
     */
    public long fenceCounter(String key) {
        return store.slot(name(key)).counter();
    }

    /**
     * Sets the fence counter of a key, as a store that lost or damaged its data would.
     *
     * @param key the key
     * @param value any number, also one that is not a valid fence
     */
    public void setFenceCounter(String key, long value) {
        store.slot(name(key)).setCounter(value);
    }

    /**
     * Returns the highest fence that the store has granted for a key.
     *
     * @param key the key
     * @return the fence
     */
    public Fence lastFence(String key) {
        return new Fence(fenceCounter(key));
    }

    /**
     * Makes the next operation of a kind fail before it reaches the store.
     *
     * @param operation which
     * @param code how it fails
     */
    public void failNext(Operation operation, Code code) {
        addFault(operation, new Fault(new LockException(code, "simulated failure"), false, Duration.ZERO));
    }

    /**
     * Lets the next operation of a kind happen, but loses its reply: the caller sees a timeout and does not know.
     *
     * @param operation which
     */
    public void dropReply(Operation operation) {
        LockException timeout = new LockException(Code.NETWORK_TIMEOUT, "simulated loss of the reply", null, true);
        addFault(operation, new Fault(timeout, true, Duration.ZERO));
    }

    /**
     * Lets the next operation of a kind happen, but lets time pass before its reply arrives.
     *
     * @param operation which
     * @param delay how much time
     */
    public void delayReply(Operation operation, Duration delay) {
        addFault(operation, new Fault(null, true, delay));
    }

    private void addFault(Operation operation, Fault fault) {
        faultLock.lock();
        try {
            faults.computeIfAbsent(operation, key -> new ArrayDeque<>()).add(fault);
        } finally {
            faultLock.unlock();
        }
    }

    Fault takeFault(Operation operation) {
        faultLock.lock();
        try {
            Queue<Fault> queue = faults.get(operation);
            Fault fault = queue == null ? null : queue.poll();
            return fault == null ? Fault.NONE : fault;
        } finally {
            faultLock.unlock();
        }
    }

    void granted(LockId lockId, VirtualTime.Machine machine) {
        holders.putIfAbsent(lockId, machine);
    }

    VirtualTime time() {
        return time;
    }

    private static String name(String key) {
        return LockKey.of(key).value();
    }

    /** What happens to one operation. */
    record Fault(@Nullable LockException failure, boolean reachesStore, Duration delay) {
        static final Fault NONE = new Fault(null, true, Duration.ZERO);
    }
}
