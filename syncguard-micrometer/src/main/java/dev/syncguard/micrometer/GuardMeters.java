package dev.syncguard.micrometer;

import dev.syncguard.SyncGuard;
import dev.syncguard.spi.support.Settings;
import dev.syncguard.telemetry.TelemetryLockBackend;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/** Measures what a guard alone knows: releases that are still to be done in the background, and events that were dropped. */
public final class GuardMeters implements MeterBinder {

    private final SyncGuard guard;
    private final @Nullable TelemetryLockBackend telemetry;
    private final Tags tags;

    /**
     * Creates a binder for a guard.
     *
     * @param guard the guard
     * @param tags tell it from others in the registry; may be empty
     */
    public GuardMeters(SyncGuard guard, Tags tags) {
        this(guard, null, tags);
    }

    private GuardMeters(SyncGuard guard, @Nullable TelemetryLockBackend telemetry, Tags tags) {
        this.guard = Settings.required("guard", guard);
        this.telemetry = telemetry;
        this.tags = Settings.required("tags", tags);
    }

    /**
     * Returns a binder that also counts the events of a telemetry decorator that did not reach its listener.
     *
     * @param backend the decorator below the guard
     * @return a binder
     */
    public GuardMeters withEventsOf(TelemetryLockBackend backend) {
        return new GuardMeters(guard, Settings.required("backend", backend), tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("syncguard.releases.pending", guard, SyncGuard::pendingReleases)
                .description("Locks that are being released in the background")
                .tags(tags)
                .register(registry);
        if (telemetry != null) {
            events(registry, "dropped", telemetry);
            events(registry, "failed", telemetry);
        }
    }

    private void events(MeterRegistry registry, String fate, TelemetryLockBackend backend) {
        FunctionCounter.builder(
                        "syncguard.events.lost",
                        backend,
                        fate.equals("dropped")
                                ? TelemetryLockBackend::droppedEvents
                                : TelemetryLockBackend::failedEvents)
                .description("Events that did not reach the listener, or failed there")
                .tags(tags.and("fate", fate))
                .register(registry);
    }
}
