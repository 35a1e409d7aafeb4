package dev.syncguard.memory;

import static dev.syncguard.spi.support.Settings.required;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.SyncGuardBuilder;
import dev.syncguard.fence.MemoryFenceGuard;
import dev.syncguard.memory.Faults.Fault;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.Optional;
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
 * <p>Time stands still until {@link #advance}, {@link #pauseHolder} or {@link #suspendHolder} moves it; timers of the guards
 * (renewals, timeouts, polls) then run on the thread that moves it. While every thread that uses the simulator waits for a
 * lock, the time moves by itself, from timer to timer:
 *
 * <pre>{@code
 * here.acquire("job");
 * there.acquire("job");   // throws an AcquisitionTimeoutException, after five simulated seconds and no real ones
 * }</pre>
 *
 * <p>While another such thread does something else, a waiting thread waits for it to move the time, to end or to wait as
 * well, and throws an {@link IllegalStateException} after 30 real seconds. Stages of the asynchronous view do not move the
 * time: use {@link #advance} before a {@code join}.
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

    private final VirtualTime time = new VirtualTime();
    private final MemoryStore store = new MemoryStore(time::nowMs);
    private final Holders holders = new Holders();
    private final Faults faults = new Faults(time);
    private final MemoryFenceGuard fences = new MemoryFenceGuard();

    /** Creates an empty store at a fixed time. */
    public LockSimulator() {
        time.threads().acted();
    }

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
        return newGuard(backend -> backend, settings);
    }

    /**
     * Starts a process whose guard reaches the store through a decorator, for example one that measures.
     *
     * @param decorator wraps the backend
     * @param settings what to set at the builder
     * @return a guard that lives in the simulated time
     */
    public SyncGuard newGuard(UnaryOperator<LockBackend> decorator, UnaryOperator<SyncGuardBuilder> settings) {
        required("decorator", decorator);
        required("settings", settings);
        VirtualTime.Machine machine = time.new Machine();
        LockBackend backend = decorator.apply(backend(machine));
        return settings.apply(onThisThread(SyncGuard.builder(backend), machine)).build();
    }

    /** Everything that a guard leaves to threads happens on the thread that caused it: the same order in every run. */
    private static SyncGuardBuilder onThisThread(SyncGuardBuilder builder, VirtualTime.Machine machine) {
        return builder.time(machine).executor(new SameThread());
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
        time.threads().acted();
        return new SimulatedBackend(new MemoryLockBackend(store), machine, time, faults, holders);
    }

    /**
     * Lets time pass while every process runs.
     *
     * @param duration how long
     */
    public void advance(Duration duration) {
        time.advance(required("duration", duration).toNanos());
    }

    /**
     * Lets time pass while the process that holds a key stands still, as in a long garbage collection. What it should have
     * done meanwhile happens late.
     *
     * @param key a key that is locked
     * @param duration how long
     */
    public void pauseHolder(String key, Duration duration) {
        required("duration", duration);
        VirtualTime.Machine machine = holder(key);
        if (machine == null) {
            advance(duration);
        } else {
            time.pause(machine, duration.toNanos());
        }
    }

    /**
     * Lets time pass while the machine of the process that holds a key is suspended, as a laptop that is shut: it does nothing
     * and its monotonic clock stands still, while its time of day goes on. Its timers go on afterwards where they were.
     *
     * @param key a key that is locked
     * @param duration how long
     */
    public void suspendHolder(String key, Duration duration) {
        required("duration", duration);
        VirtualTime.Machine machine = holder(key);
        if (machine == null) {
            advance(duration);
        } else {
            time.suspend(machine, duration.toNanos());
        }
    }

    private VirtualTime.@Nullable Machine holder(String key) {
        return holders.of(store.find(name(key)).orElseThrow(() -> new IllegalStateException("the key is not locked")));
    }

    /**
     * Removes a lock from the store behind its holder's back.
     *
     * @param key a key that is locked
     */
    public void loseLock(String key) {
        store.slot(name(key)).lose();
        time.threads().acted();
    }

    /**
     * Ages a lock in the store so that it has expired, beyond the tolerance, while no time passes.
     *
     * @param key a key that is locked
     */
    public void expire(String key) {
        expireAgo(key, Duration.ofSeconds(5));
    }

    /**
     * Ages a lock in the store so that it expired some time ago, while no time passes.
     *
     * @param key a key that is locked
     * @param ago how long ago
     */
    public void expireAgo(String key, Duration ago) {
        store.slot(name(key)).expireAt(store.nowMs() - required("ago", ago).toMillis());
        time.threads().acted();
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
     * Returns the guard at the resources that the locks protect, the same for every process of the simulation.
     *
     * <pre>{@code
     * simulator.fenceGuard().advance("invoice:42", late.fence());   // throws a StaleFenceException after a takeover
     * }</pre>
     *
     * @return a guard that has seen the fences that a test advanced it to
     */
    public MemoryFenceGuard fenceGuard() {
        return fences;
    }

    /**
     * Makes the next operation of a kind fail before it reaches the store.
     *
     * @param operation which
     * @param code how it fails
     */
    public void failNext(Operation operation, Code code) {
        LockException failure = new LockException(required("code", code), "simulated failure");
        faults.add(required("operation", operation), new Fault(failure, false, Duration.ZERO));
    }

    /**
     * Lets the next operation of a kind happen, but loses its reply: the caller sees a timeout and does not know.
     *
     * @param operation which
     */
    public void dropReply(Operation operation) {
        LockException timeout = new LockException(Code.NETWORK_TIMEOUT, "simulated loss of the reply", null, true);
        faults.add(required("operation", operation), new Fault(timeout, true, Duration.ZERO));
    }

    /**
     * Lets the next operation of a kind happen, but lets time pass before its reply arrives.
     *
     * @param operation which
     * @param delay how much time
     */
    public void delayReply(Operation operation, Duration delay) {
        faults.add(required("operation", operation), new Fault(null, true, required("delay", delay)));
    }

    /**
     * Makes every operation of every process fail until some simulated time has passed: the store cannot be reached, and it
     * is known that nothing happened.
     *
     * @param duration how long; zero ends an outage
     */
    public void outage(Duration duration) {
        faults.outage(required("duration", duration).toNanos());
        time.threads().acted();
    }

    private static String name(String key) {
        return LockKey.of(key).value();
    }

    /** For tests: what is remembered of locks. */
    long remembered() {
        return holders.size() + store.index().size();
    }
}
