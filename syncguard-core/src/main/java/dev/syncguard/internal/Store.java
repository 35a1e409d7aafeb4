package dev.syncguard.internal;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.Settings;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The backend as blocking callers see it: whatever it throws is a {@link dev.syncguard.LockException} that knows what it is
 * about (decision E4).
 */
final class Store {

    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

    private final LockBackend backend;
    private final Duration commandTimeout;

    Store(LockBackend backend) {
        this.backend = backend;
        this.commandTimeout = Settings.between( // what is repeated would follow without a pause, or overflow
                "commandTimeout", backend.commandTimeout(), SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
    }

    LockBackend backend() {
        return backend;
    }

    long commandTimeoutNanos() {
        return commandTimeout.toNanos();
    }

    AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        return call(request.key(), request.lockId(), () -> backend.acquire(request, signal));
    }

    ReleaseOutcome release(ReleaseRequest request) {
        return call(request.key(), request.lockId(), () -> backend.release(request, AbortSignal.none()));
    }

    ExtendOutcome extend(ExtendRequest request) {
        return call(request.key(), request.lockId(), () -> backend.extend(request, AbortSignal.none()));
    }

    boolean isLocked(LockKey key, AbortSignal signal) {
        return call(key, null, () -> backend.isLocked(key, signal));
    }

    Optional<StoredLock> findByKey(LockKey key, AbortSignal signal) {
        return call(key, null, () -> backend.findByKey(key, signal));
    }

    Optional<StoredLock> findById(LockId lockId, AbortSignal signal) {
        return call(null, lockId, () -> backend.findById(lockId, signal));
    }

    static <T> T call(@Nullable LockKey key, @Nullable LockId lockId, Supplier<T> operation) {
        try {
            return Objects.requireNonNull(operation.get(), "the backend returned null");
        } catch (Throwable e) {
            throw Failures.translate(e, key, lockId);
        }
    }
}
