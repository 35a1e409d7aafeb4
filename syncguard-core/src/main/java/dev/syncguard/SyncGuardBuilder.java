package dev.syncguard;

import static dev.syncguard.Arguments.required;

import dev.syncguard.LockException.Code;
import dev.syncguard.internal.Guard;
import dev.syncguard.internal.Settings;
import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates a {@link SyncGuard} with settings of its own. */
public final class SyncGuardBuilder {

    private static final Duration LONGEST = Duration.ofDays(365);

    private final LockBackend backend;
    private LockOptions defaults = LockOptions.defaults();
    private KeyHash hash = KeyHash.canonical();
    private @Nullable Duration disposeTimeout;
    private @Nullable Consumer<LockException> onReleaseError;
    private int threads = 8;
    private @Nullable Executor executor;
    private @Nullable Timekeeper time;
    private @Nullable String label;

    SyncGuardBuilder(LockBackend backend) {
        this.backend = required("backend", backend);
    }

    /**
     * Sets the options of calls without options.
     *
     * @param defaults the options
     * @return this builder
     */
    public SyncGuardBuilder defaults(LockOptions defaults) {
        this.defaults = required("defaults", defaults);
        return this;
    }

    /**
     * Sets how keys and lock ids are hashed for messages and diagnostics.
     *
     * @param hash for example {@link KeyHash#keyed(byte[])}
     * @return this builder
     */
    public SyncGuardBuilder hash(KeyHash hash) {
        this.hash = required("hash", hash);
        return this;
    }

    /**
     * Sets how long {@link Lease#close()} waits for the store; after it the release goes on in the background. Without it the
     * backend's command timeout is the limit.
     *
     * @param timeout more than 0, at most 365 days
     * @return this builder
     */
    public SyncGuardBuilder disposeTimeout(Duration timeout) {
        if (timeout == null || timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "disposeTimeout is more than 0 and at most 365 days");
        }
        this.disposeTimeout = timeout;
        return this;
    }

    /**
     * Sets what to do when closing a lease fails; without it that is logged as a warning.
     *
     * @param handler gets the failure; its message is safe to log
     * @return this builder
     */
    public SyncGuardBuilder onReleaseError(Consumer<LockException> handler) {
        this.onReleaseError = required("onReleaseError", handler);
        return this;
    }

    /**
     * Sets how many threads acquires and releases of the asynchronous view, and renewals, may take on a backend that can only
     * block; each of the three has its own. Background work has at most four.
     *
     * @param threads 1 or more
     * @return this builder
     */
    public SyncGuardBuilder threads(int threads) {
        if (threads < 1) {
            throw new LockException(Code.INVALID_ARGUMENT, "threads is 1 or more");
        }
        this.threads = threads;
        return this;
    }

    /**
     * Sets where stages of the asynchronous view complete and handlers run. Without it the guard has threads of its own for
     * that: as many as are blocked at the same time, up to 256. With {@code Runnable::run} stages complete on threads of the
     * driver and of the guard, which is faster; continuations must not block then, or leases are lost.
     *
     * @param executor runs code of the application; stays open when the guard is closed
     * @return this builder
     */
    public SyncGuardBuilder executor(Executor executor) {
        this.executor = required("executor", executor);
        return this;
    }

    /**
     * Sets who holds the locks of this guard, for operators: stored beside each lock, and shown by raw lookups, by listings
     * and by the command line; never in logs, events or exceptions. Other clients ignore it. A table without a place for it
     * is left as it is, and so is the label: the doctor says so.
     *
     * @param label for example a host and a process id; 1 to 128 characters that are not all blank, without control
     *     characters and marks of direction
     * @return this builder
     */
    public SyncGuardBuilder label(String label) {
        this.label = Labels.checked(label);
        return this;
    }

    /**
     * Sets the clock and timer, for tests that bring their own; {@link dev.syncguard.memory.LockSimulator} has one. The guard
     * closes it.
     *
     * @param time the clock and timer
     * @return this builder
     */
    public SyncGuardBuilder time(Timekeeper time) {
        this.time = required("time", time);
        return this;
    }

    /**
     * Creates the guard.
     *
     * @return a new guard
     */
    public SyncGuard build() {
        Timekeeper timekeeper = time != null ? time : new SystemTimekeeper();
        return new SyncGuard(new Guard(
                backend,
                new Settings(defaults, hash, disposeTimeout, onReleaseError, threads, executor, timekeeper, label)));
    }
}
