package dev.syncguard.micrometer;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.support.Settings;
import dev.syncguard.telemetry.LockObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;

/** Creates a {@link MeteredLockBackend} with settings of its own. */
public final class MeteredBackendBuilder {

    private static final int MOST_KEYS = 10_000;

    private final LockBackend backend;
    private final MeterRegistry registry;
    private Tags tags = Tags.empty();
    private ObservationRegistry observations = ObservationRegistry.NOOP;
    private int taggedKeys;
    private int fenceKeys;

    MeteredBackendBuilder(LockBackend backend, MeterRegistry registry) {
        this.backend = Settings.required("backend", backend);
        this.registry = Settings.required("registry", registry);
    }

    /**
     * Sets tags that all meters and observations of this backend have.
     *
     * @param tags for example {@code Tags.of("store", "redis")}
     * @return this builder
     */
    public MeteredBackendBuilder tags(Tags tags) {
        this.tags = Settings.required("tags", tags);
        return this;
    }

    /**
     * Gives meters of leases a tag {@code key} with the hash of the key, as the guard hashes it. Without it there is no such
     * tag. Each key costs a set of time series, so there is a limit.
     *
     * @param most how many keys get a value of their own, the first ones; all others share {@code other}. 1 to 10,000
     * @return this builder
     */
    public MeteredBackendBuilder tagKeys(int most) {
        this.taggedKeys = checked("tagKeys", most);
        return this;
    }

    /**
     * Adds the gauge {@code syncguard.fence}: the highest fence that was granted here, for each of the first keys, by hash.
     *
     * @param most how many keys, 1 to 10,000
     * @return this builder
     */
    public MeteredBackendBuilder fences(int most) {
        this.fenceKeys = checked("fences", most);
        return this;
    }

    /**
     * Adds observations, from which tracing bridges make spans: {@code syncguard.acquire} from the call to the grant or its
     * failure, {@code syncguard.hold} from the grant to the release or the loss. Both are children of what is observed on the
     * thread that acquires.
     *
     * @param observations where they go
     * @return this builder
     */
    public MeteredBackendBuilder observations(ObservationRegistry observations) {
        this.observations = Settings.required("observations", observations);
        return this;
    }

    private static int checked(String name, int most) {
        if (most < 1 || most > MOST_KEYS) {
            throw new LockException(Code.INVALID_ARGUMENT, name + " is 1 to " + MOST_KEYS);
        }
        return most;
    }

    /**
     * Creates the backend.
     *
     * @return the wrapped backend
     */
    public MeteredLockBackend build() {
        LockObserver meters =
                new LockMeters(registry, tags, new KeyTags(taggedKeys), new FenceGauges(registry, tags, fenceKeys));
        return new MeteredLockBackend(
                backend, observations.isNoop() ? meters : new LockObservations(meters, observations, tags));
    }
}
