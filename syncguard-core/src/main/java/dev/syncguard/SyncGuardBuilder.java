package dev.syncguard;

import dev.syncguard.LockException.Code;
import dev.syncguard.internal.Guard;
import dev.syncguard.internal.Settings;
import dev.syncguard.internal.SystemTimekeeper;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a {@link SyncGuard} with settings of its own. */
public final class SyncGuardBuilder {

    private static final Duration LONGEST = Duration.ofDays(365);

    private final LockBackend backend;
    private LockOptions defaults = LockOptions.defaults();
    private KeyHash hash = KeyHash.canonical();
    private @Nullable Duration disposeTimeout;
    private @Nullable Consumer<LockException> onReleaseError;
    private int threads = 8;
    private @Nullable Timekeeper time;

    SyncGuardBuilder(LockBackend backend) {
        this.backend = Objects.requireNonNull(backend, "backend");
    }

    /**
     * Sets the options of calls without options.
     *
     * @param defaults the options
     * @return this builder
     */
    public SyncGuardBuilder defaults(LockOptions defaults) {
        this.defaults = Objects.requireNonNull(defaults, "defaults");
        return this;
    }

    /**
     * Sets how keys and lock ids are hashed for messages and diagnostics.
     *
     * @param hash for example {@link KeyHash#keyed(byte[])}
     * @return this builder
     */
    public SyncGuardBuilder hash(KeyHash hash) {
        this.hash = Objects.requireNonNull(hash, "hash");
        return this;
    }

    /**
     * Sets how long {@link Lease#close()} waits for the store. Without it the backend's command timeout is the limit,
     * twice if the first release has an unknown outcome.
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
        this.onReleaseError = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * Sets how many threads acquires, releases and renewals of the asynchronous view may take on a backend that can only
     * block, and how many the handlers of the application may take; each of these has its own.
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
     * Sets the clock and timer, for tests. The guard closes it.
     *
     * @param time for example that of {@link dev.syncguard.memory.LockSimulator}
     * @return this builder
     */
    public SyncGuardBuilder time(Timekeeper time) {
        this.time = Objects.requireNonNull(time, "time");
        return this;
    }

    /**
     * Makes the guard.
     *
     * @return a new guard
     */
    public SyncGuard build() {
        Timekeeper timekeeper = time != null ? time : new SystemTimekeeper();
        return new SyncGuard(
                new Guard(backend, new Settings(defaults, hash, disposeTimeout, onReleaseError, threads, timekeeper)));
    }
}
