package dev.syncguard.micrometer;

import dev.syncguard.spi.LockBackend;
import dev.syncguard.telemetry.LockObserver;
import dev.syncguard.telemetry.ObservedLockBackend;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * A backend that measures its operations, and the life of each lease of the guard on it.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(MeteredLockBackend.of(backend, registry));
 * }</pre>
 *
 * <p>Two guards that shall be told apart in one registry get {@linkplain MeteredBackendBuilder#tags tags}. What the guard alone
 * knows is measured by {@link GuardMeters}.
 */
public final class MeteredLockBackend extends ObservedLockBackend {

    MeteredLockBackend(LockBackend backend, LockObserver observer) {
        super(backend, observer);
    }

    /**
     * Wraps a backend with the defaults: no tags of keys, no observations.
     *
     * @param backend the backend; closed with this one
     * @param registry gets the meters
     * @return the wrapped backend
     */
    public static MeteredLockBackend of(LockBackend backend, MeterRegistry registry) {
        return builder(backend, registry).build();
    }

    /**
     * Starts a wrapped backend with other settings.
     *
     * @param backend the backend; closed with the wrapped one
     * @param registry gets the meters
     * @return a builder
     */
    public static MeteredBackendBuilder builder(LockBackend backend, MeterRegistry registry) {
        return new MeteredBackendBuilder(backend, registry);
    }
}
