package dev.syncguard.opentelemetry;

import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.support.Settings;
import dev.syncguard.telemetry.ObservedLockBackend;
import io.opentelemetry.api.OpenTelemetry;

/**
 * A backend whose guard is traced: a span for each acquire, its wait included, and one for the time that its lease is held.
 *
 * <pre>{@code
 * SyncGuard guard = SyncGuard.of(TracedLockBackend.of(backend, openTelemetry));
 * }</pre>
 */
public final class TracedLockBackend extends ObservedLockBackend {

    private TracedLockBackend(LockBackend backend, LockSpans spans) {
        super(backend, spans);
    }

    /**
     * Wraps a backend.
     *
     * @param backend the backend; closed with the wrapped one
     * @param openTelemetry where the spans go
     * @return the wrapped backend
     */
    public static TracedLockBackend of(LockBackend backend, OpenTelemetry openTelemetry) {
        LockBackend target = Settings.required("backend", backend);
        return new TracedLockBackend(
                target,
                new LockSpans(Settings.required("openTelemetry", openTelemetry).getTracer("dev.syncguard")));
    }
}
