package dev.syncguard.cli.run;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquireResult;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.text.Output;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Gets a lock at once or after a while, and shows on a terminal that it waits. */
public final class Waiting {

    private final SyncGuard guard;
    private final Output output;
    private final AbortSignal signal;

    /**
     * Makes a waiter.
     *
     * @param guard where the locks are
     * @param output shows the progress
     * @param signal cancels
     */
    public Waiting(SyncGuard guard, Output output, AbortSignal signal) {
        this.guard = guard;
        this.output = output;
        this.signal = signal;
    }

    /**
     * Gets a lock.
     *
     * @param key the key
     * @param options how to hold it
     * @param patience how long to wait; zero for one attempt
     * @return the lease; null if the lock was not free in time
     */
    public @Nullable Lease acquire(String key, LockOptions options, Duration patience) {
        long start = System.nanoTime();
        AcquireResult first = guard.tryAcquire(key, options, signal);
        if (first instanceof Lease lease) {
            return lease;
        }
        Duration left = patience.minusNanos(System.nanoTime() - start);
        if (left.isNegative() || left.isZero()) {
            return null;
        }
        Progress progress = Progress.start(output, (Contended) first, patience);
        try {
            return guard.acquire(key, options.waitAtMost(left), signal);
        } catch (AcquisitionTimeoutException e) {
            return null;
        } finally {
            progress.close();
        }
    }
}
