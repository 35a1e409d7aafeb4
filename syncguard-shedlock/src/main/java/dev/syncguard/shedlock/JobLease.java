package dev.syncguard.shedlock;

import dev.syncguard.Lease;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The lease of the job that runs on this thread.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 * * * *")
 * @SchedulerLock(name = "report", lockAtMostFor = "10m")
 * void report() {
 *     Lease lease = JobLease.current();
 *     lease.ensureValid();                   // before each step that must not happen without the lock
 *     repository.save(report, lease.fence());
 * }
 * }</pre>
 */
public final class JobLease {

    private static final ThreadLocal<Deque<Lease>> LEASES = ThreadLocal.withInitial(ArrayDeque::new);

    private JobLease() {}

    /**
     * Returns the lease of the innermost lock that a {@link SyncGuardLockProvider} gave to this thread and that was not
     * unlocked; also one that was lost meanwhile, as {@link Lease#ensureValid()} says.
     *
     * @return the lease; ShedLock releases it
     * @throws IllegalStateException if this thread holds none, for example a thread that the job started
     */
    public static Lease current() {
        forgetReleased();
        Lease lease = LEASES.get().peekLast();
        if (lease == null) {
            LEASES.remove();
            throw new IllegalStateException(
                    "no lock of a SyncGuardLockProvider is held on this thread; take the lease on"
                            + " the thread of the job and hand it on");
        }
        return lease;
    }

    static void begin(Lease lease) {
        forgetReleased();
        LEASES.get().addLast(lease);
    }

    static void end(Lease lease) {
        Deque<Lease> leases = LEASES.get();
        leases.removeIf(held -> held == lease);
        if (leases.isEmpty()) {
            LEASES.remove();
        }
    }

    /** One that was unlocked on another thread is still here. */
    private static void forgetReleased() {
        LEASES.get().removeIf(lease -> !lease.isValid() && !lease.wasLost());
    }
}
