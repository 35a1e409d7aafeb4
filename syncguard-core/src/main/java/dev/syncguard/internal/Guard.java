package dev.syncguard.internal;

import dev.syncguard.Capabilities;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.Timekeeper;
import java.util.concurrent.Executor;

/** Puts together what stands behind {@link dev.syncguard.SyncGuard} and its asynchronous view. */
public final class Guard {

    private final Settings settings;
    private final Capabilities capabilities;
    private final Compensations compensations;
    private final InFlight inFlight = new InFlight();
    private final Leases leases = new Leases();
    private final WaitingRoom room;
    private final Calls calls;
    private final Lookups lookups;
    private final ById byId;
    private final Shutdown shutdown;

    /**
     * Creates a guard.
     *
     * @param backend the store
     * @param settings what the builder collected
     */
    public Guard(LockBackend backend, Settings settings) {
        this.settings = settings;
        this.capabilities = backend.capabilities();
        Timekeeper time = settings.time();
        GuardThreads threads = new GuardThreads(settings.threads(), time);
        Executor application = settings.executor() != null ? settings.executor() : threads.completion();
        Completion completion = new Completion(application, threads.completion(), threads.lastResort(), inFlight);
        Reports reports = new Reports(
                time,
                threads.completion(),
                application,
                threads.lastResort(),
                backend.leaseObserver().orElse(null));
        GuardClock clock = new GuardClock(time);
        Store store = new Store(backend);
        HandOver handOver = backend.handOver().orElse(null);
        this.room = new WaitingRoom(
                handOver != null ? null : backend.releaseSignals().orElse(null), reports);
        this.compensations = new Compensations(
                new CompensationContext(store, clock, time, threads.background(), reports, room::released));
        AsyncStore async = new AsyncStore(store, threads, time);
        LeaseReports events = new LeaseReports(leases, room, reports, clock, settings.onReleaseError());
        boolean storeHasTheTime = capabilities.timeAuthority() == Capabilities.TimeAuthority.SERVER;
        LeakDetector leaks = new LeakDetector(reports);
        LeaseContext leaseContext = new LeaseContext(
                store,
                async,
                clock,
                time,
                inFlight,
                compensations,
                completion,
                reports,
                events,
                leaks,
                settings.disposeTimeout(),
                storeHasTheTime ? new ServerClockWatch(reports) : null);
        AcquireContext context = new AcquireContext(
                store,
                async,
                clock,
                time,
                room,
                inFlight,
                new FenceMemory(),
                leases,
                leaks,
                compensations,
                completion,
                reports,
                leaseContext,
                settings.label(),
                handOver);
        this.calls = new Calls(context);
        this.lookups = new Lookups(store, async, inFlight, completion, settings.hash());
        this.byId = new ById(store, async, inFlight, leases, completion);
        this.shutdown = new Shutdown(store, async, inFlight, room, leases, compensations, reports, time, threads);
    }

    /** Returns the options of calls without options. */
    public LockOptions defaults() {
        return settings.defaults();
    }

    /** Returns the verbs that get locks. */
    public Calls calls() {
        return calls;
    }

    /** Returns the verbs that look at locks. */
    public Lookups lookups() {
        return lookups;
    }

    /** Returns the verbs that take a lock id. */
    public ById byId() {
        return byId;
    }

    /** Returns what the store is and can do. */
    public Capabilities capabilities() {
        return capabilities;
    }

    /** Returns how many locks are being released in the background. */
    public int pendingReleases() {
        return compensations.pending();
    }

    /** Returns how many leases are held. */
    public int heldLeases() {
        return leases.held().size();
    }

    /** Returns how many callers wait for a lock, or ask for the first time. */
    public int waiters() {
        return room.waiters();
    }

    /** Checks a key. */
    public LockKey key(String key) {
        inFlight.ensureOpen();
        return LockKey.of(key, settings.hash());
    }

    /** Returns the end of this guard. */
    public Shutdown shutdown() {
        return shutdown;
    }
}
