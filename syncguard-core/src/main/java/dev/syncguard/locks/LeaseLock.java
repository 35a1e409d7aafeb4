package dev.syncguard.locks;

import static dev.syncguard.spi.support.Settings.required;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * One key of a guard as a {@link Lock}, for code that wants one.
 *
 * <pre>{@code
 * LeaseLock lock = new LeaseLock(guard, "invoice:42", guard.options().autoExtend());
 * lock.lock();
 * try {
 *     charge(invoice, lock.lease().fence());
 * } finally {
 *     lock.unlock();   // throws if the lease was lost
 * }
 * }</pre>
 *
 * <p>Unlike the guard's own leases it belongs to the thread that locked it. It is not reentrant: a thread that has it and would
 * wait for itself gets an {@link IllegalStateException} at once. All threads of a process share one instance for a key, or that
 * is not noticed. Methods that lock throw a {@link LockException} if the store fails, and {@link IllegalStateException} on a
 * closed guard.
 */
public final class LeaseLock implements Lock {

    private static final Duration FOREVER = Duration.ofDays(365);

    private final SyncGuard guard;
    private final String key;
    private final LockOptions options;
    /** For each thread its own: one whose lease was lost has yet to unlock when another thread has the lock. */
    @SuppressWarnings("ThreadLocalUsage") // one per lock is meant
    private final ThreadLocal<@Nullable Lease> held = new ThreadLocal<>();

    /**
     * Creates a view of a key with the guard's options.
     *
     * @param guard the guard
     * @param key what to lock
     */
    public LeaseLock(SyncGuard guard, String key) {
        this(guard, key, required("guard", guard).options());
    }

    /**
     * Creates a view of a key.
     *
     * @param guard the guard
     * @param key what to lock
     * @param options how to hold it; how long to wait is said by the method that locks
     */
    public LeaseLock(SyncGuard guard, String key, LockOptions options) {
        this.guard = required("guard", guard);
        this.key = required("key", key);
        this.options = required("options", options);
    }

    /** Waits for the lock, for a year if need be. An interrupt is kept for later. */
    @Override
    public void lock() {
        refuseSecond();
        uninterruptibly(() -> guard.acquire(key, waiting(FOREVER)));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        refuseSecond();
        interruptibly(() -> guard.acquire(key, waiting(FOREVER)));
    }

    /** Tries once; false also if this thread has the lock. An interrupt is kept for later. */
    @Override
    public boolean tryLock() {
        return held.get() == null && uninterruptibly(this::once);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        refuseSecond();
        Duration wait = Duration.ofNanos(unit.toNanos(time));
        if (wait.isNegative() || wait.isZero()) {
            return interruptibly(this::once);
        }
        LockOptions waiting = waiting(wait.compareTo(FOREVER) < 0 ? wait : FOREVER);
        return interruptibly(() -> within(waiting));
    }

    /** Waits that long, however few polls the options allow. */
    private LockOptions waiting(Duration wait) {
        return options.waitAtMost(wait).maxRetries(Integer.MAX_VALUE);
    }

    private @Nullable Lease once() {
        return guard.tryAcquire(key, options) instanceof Lease lease ? lease : null;
    }

    private @Nullable Lease within(LockOptions waiting) {
        try {
            return guard.acquire(key, waiting);
        } catch (AcquisitionTimeoutException e) {
            if (e.getCause() != null) { // it waited through failures of the store
                throw e;
            }
            return null;
        }
    }

    private void refuseSecond() {
        if (held.get() != null) {
            throw new IllegalStateException(
                    "this thread has this lock already and would wait for itself: it is not reentrant");
        }
    }

    private boolean uninterruptibly(Attempt attempt) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return hold(attempt.lease());
                } catch (LockException e) {
                    if (e.code() != Code.ABORTED || !Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean interruptibly(Attempt attempt) throws InterruptedException {
        try {
            return hold(attempt.lease());
        } catch (LockException e) {
            if (e.code() == Code.ABORTED && Thread.interrupted()) {
                InterruptedException interrupt = new InterruptedException("interrupted while waiting for the lock");
                interrupt.initCause(e);
                throw interrupt;
            }
            throw e;
        }
    }

    private boolean hold(@Nullable Lease lease) {
        try {
            held.set(lease);
        } catch (Throwable e) {
            if (lease != null) {
                lease.close();
            }
            throw e;
        }
        return lease != null;
    }

    /**
     * Releases the lock. It is over for this thread, whatever is thrown.
     *
     * @throws IllegalMonitorStateException if this thread does not have it
     * @throws LeaseLostException if the lease was lost meanwhile: another client may have had the lock
     * @throws LockException if the store failed; the release goes on in the background
     */
    @Override
    public void unlock() {
        Lease lease = lease();
        held.remove();
        lease.release();
        if (lease.wasLost()) {
            lease.ensureValid(); // throws the loss
        }
    }

    /**
     * Returns the lease of the calling thread, for its fence.
     *
     * @return the lease, to be released by {@link #unlock()}
     * @throws IllegalMonitorStateException if this thread does not have the lock
     */
    public Lease lease() {
        Lease lease = held.get();
        if (lease == null) {
            throw new IllegalMonitorStateException("this thread does not have this lock");
        }
        return lease;
    }

    /**
     * Returns whether the calling thread has locked and not unlocked, also if the lease was lost meanwhile.
     *
     * @return whether {@link #unlock()} is due
     */
    public boolean isHeldByCurrentThread() {
        return held.get() != null;
    }

    /** Unsupported: other processes cannot be waited for in this way. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a lock on a store has no conditions");
    }

    /** One call of the guard; null if another client has the lock. */
    @FunctionalInterface
    private interface Attempt {
        @Nullable
        Lease lease();
    }
}
