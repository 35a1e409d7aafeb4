package dev.syncguard.shedlock;

import dev.syncguard.Lease;
import dev.syncguard.spi.Liveness;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A lease as ShedLock sees it. An extension makes a new one of the same lease; the old one is not valid any more. */
final class HeldLock implements SimpleLock {

    private final Lease lease;
    private final long start = System.nanoTime();
    private final Duration atLeast;
    private final AtomicBoolean valid = new AtomicBoolean(true);

    private HeldLock(Lease lease, Duration atLeast) {
        this.lease = lease;
        this.atLeast = atLeast;
    }

    /** Begins a job on this thread. */
    static HeldLock begin(Lease lease, Duration atLeast) {
        try {
            HeldLock lock = new HeldLock(lease, atLeast);
            JobLease.begin(lease);
            return lock;
        } catch (Throwable e) {
            lease.waiveHoldAtLeast();
            lease.close();
            throw e;
        }
    }

    @Override
    public void unlock() {
        invalidate();
        try {
            JobLease.end(lease);
            awaitMinimum();
        } finally {
            lease.close();
        }
    }

    /** A minimum that is nearly over; a longer one is left to the store, which adds its tolerance of up to a second. */
    private void awaitMinimum() {
        Duration rest = atLeast.minusNanos(System.nanoTime() - start);
        if (rest.isNegative() || rest.toMillis() >= Liveness.TIME_TOLERANCE_MS || !lease.isValid()) {
            return;
        }
        try {
            Thread.sleep(rest.toMillis() + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // left to the store, then
        }
    }

    /** A lock that could not be extended can still be unlocked: ShedLock's executor does that in any case. */
    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        invalidate();
        boolean extended = false;
        try {
            extended = lease.extend(SyncGuardLockProvider.wholeMillis(lockAtMostFor))
                    .ok();
            if (!extended) {
                return Optional.empty();
            }
            if (lockAtLeastFor.isZero()) {
                lease.waiveHoldAtLeast();
            } else {
                lease.holdAtLeast(SyncGuardLockProvider.wholeMillis(lockAtLeastFor));
            }
            return Optional.of(new HeldLock(lease, lockAtLeastFor));
        } finally {
            valid.set(!extended);
        }
    }

    private void invalidate() {
        if (!valid.getAndSet(false)) {
            throw new IllegalStateException("this lock has been unlocked or extended already");
        }
    }
}
