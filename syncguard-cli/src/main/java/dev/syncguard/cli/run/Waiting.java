package dev.syncguard.cli.run;

import dev.syncguard.AcquireResult;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Contended;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.text.Output;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Gets a lock at once or after a while, and shows on a terminal that it waits. */
public final class Waiting {

    private final SyncGuard guard;
    private final Output output;
    private final Patience patience;

    /**
     * Creates a waiter.
     *
     * @param guard where the locks are
     * @param output shows the progress
     * @param patience how long to wait, and for what
     */
    public Waiting(SyncGuard guard, Output output, Patience patience) {
        this.guard = guard;
        this.output = output;
        this.patience = patience;
    }

    /**
     * Gets a lock.
     *
     * @param key the key
     * @param options how to hold it
     * @return the lease; null if the lock was not free in time
     * @throws LockException if the store failed, or still failed when the time was over
     */
    public @Nullable Lease acquire(String key, LockOptions options) {
        if (!patience.awaitsHolder()) {
            return patience.open(() -> guard.tryAcquire(key, options, patience.signal())) instanceof Lease lease
                    ? lease
                    : null;
        }
        Duration holderEnds = Duration.ZERO;
        try {
            AcquireResult first = guard.tryAcquire(key, options, patience.signal());
            if (first instanceof Lease lease) {
                return lease;
            }
            holderEnds = ((Contended) first).grantableIn();
        } catch (LockException e) {
            if (!patience.outlasts(e)) {
                throw e;
            }
        }
        return patience.left().isZero() ? null : await(key, options, holderEnds);
    }

    private @Nullable Lease await(String key, LockOptions options, Duration holderEnds) {
        LockOptions patient = options.waitAtMost(patience.left());
        Progress progress = Progress.start(output, holderEnds, patience);
        try {
            return guard.acquire(key, patience.isFailFast() ? patient : patient.retryStoreErrors(), patience.signal());
        } catch (AcquisitionTimeoutException e) {
            if (e.getCause() instanceof LockException storeFailure) {
                throw storeFailure;
            }
            return null;
        } finally {
            progress.close();
        }
    }
}
