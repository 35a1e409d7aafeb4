package dev.syncguard.micrometer;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.telemetry.LockObserver;
import dev.syncguard.telemetry.StoreOperation;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Observes acquires and holds, beside another observer. Only hashes leave the process, on spans and not on meters. */
final class LockObservations implements LockObserver {

    private final LockObserver meters;
    private final ObservationRegistry registry;
    private final KeyValues tags;
    private final Map<LockId, Observation> acquires = new ConcurrentHashMap<>();
    private final Map<LockId, Observation> holds = new ConcurrentHashMap<>();

    LockObservations(LockObserver meters, ObservationRegistry registry, Tags tags) {
        this.meters = meters;
        this.registry = registry;
        this.tags = KeyValues.of(tags, tag -> tag.getKey(), tag -> tag.getValue());
    }

    @Override
    public void onOperation(StoreOperation operation) {
        meters.onOperation(operation);
    }

    @Override
    public void onAcquire(LockKey key, LockId lockId) {
        meters.onAcquire(key, lockId);
        Observation acquire = observation("syncguard.acquire", key, registry.getCurrentObservation());
        acquires.put(lockId, acquire.start());
    }

    @Override
    public void onLeaseEvent(LeaseEvent event) {
        meters.onLeaseEvent(event);
        LockId lockId = event.lockId();
        if (lockId == null) {
            return;
        }
        switch (event.type()) {
            case GRANTED -> granted(event, lockId);
            case NOT_GRANTED -> notGranted(acquires.remove(lockId), event.failure());
            case RELEASED -> stop(holds.remove(lockId), "released", null);
            case RELEASE_FAILED -> stop(holds.remove(lockId), "release-failed", event.failure());
            case LOST -> stop(holds.remove(lockId), "lost", event.failure());
            case WAITED, RENEWED -> {}
        }
    }

    private void granted(LeaseEvent event, LockId lockId) {
        Observation acquire = acquires.remove(lockId);
        if (acquire == null) {
            return;
        }
        if (event.fence() != null) {
            acquire.highCardinalityKeyValue("syncguard.fence", event.fence().toString());
        }
        stop(acquire, "granted", null);
        Observation hold = observation("syncguard.hold", event.key(), parent(acquire));
        if (event.fence() != null) {
            hold.highCardinalityKeyValue("syncguard.fence", event.fence().toString());
        }
        holds.put(lockId, hold.start());
    }

    private static void notGranted(@Nullable Observation acquire, @Nullable LockException failure) {
        if (failure == null || failure.code() == Code.ACQUISITION_TIMEOUT) {
            stop(acquire, "contended", null);
        } else {
            stop(acquire, "failed", failure);
        }
    }

    private static @Nullable Observation parent(Observation acquire) {
        return acquire.getContext().getParentObservation() instanceof Observation parent ? parent : null;
    }

    private Observation observation(String name, LockKey key, @Nullable Observation parent) {
        return Observation.createNotStarted(name, registry)
                .contextualName(name.replace('.', ' '))
                .parentObservation(parent)
                .lowCardinalityKeyValues(tags)
                .highCardinalityKeyValue("syncguard.key.hash", key.hash());
    }

    private static void stop(@Nullable Observation observation, String outcome, @Nullable LockException failure) {
        if (observation == null) {
            return;
        }
        observation.lowCardinalityKeyValue(KeyValue.of("outcome", outcome));
        if (failure != null) {
            observation.error(failure);
        }
        observation.stop();
    }
}
