package dev.syncguard.micrometer;

import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LeaseEvent;
import dev.syncguard.telemetry.LockObserver;
import dev.syncguard.telemetry.StoreOperation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Measures what it sees. Every meter of a name has the same tag keys, as registries for Prometheus demand. */
final class LockMeters implements LockObserver {

    private static final String NONE = "none";

    private final MeterRegistry registry;
    private final Tags tags;
    private final KeyTags keys;
    private final FenceGauges fences;
    private final LongTaskTimer acquiring;
    private final LongTaskTimer held;
    private final Map<LockId, LongTaskTimer.Sample> acquires = new ConcurrentHashMap<>();
    private final Map<LockId, LongTaskTimer.Sample> leases = new ConcurrentHashMap<>();

    LockMeters(MeterRegistry registry, Tags tags, KeyTags keys, FenceGauges fences) {
        this.registry = registry;
        this.tags = tags;
        this.keys = keys;
        this.fences = fences;
        this.acquiring = LongTaskTimer.builder("syncguard.acquires.active")
                .description("Acquires that have begun and have no answer yet, waiters included")
                .tags(tags)
                .register(registry);
        this.held = LongTaskTimer.builder("syncguard.leases.active")
                .description("Leases that are held")
                .tags(tags)
                .register(registry);
    }

    @Override
    public void onOperation(StoreOperation operation) {
        String outcome = operation.reason() != null
                ? operation.reason().specName()
                : operation.errorCode() != null ? "error" : operation.result().specName();
        Timer.builder("syncguard.operations")
                .description("Requests to the store")
                .tags(tags.and(
                        "operation",
                        operation.type().specName(),
                        "outcome",
                        outcome,
                        "error",
                        error(operation.errorCode())))
                .register(registry)
                .record(operation.nanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onAcquire(LockKey key, LockId lockId) {
        acquires.put(lockId, acquiring.start());
    }

    @Override
    public void onLeaseEvent(LeaseEvent event) {
        LockKey key = event.key();
        switch (event.type()) {
            case WAITED -> count("syncguard.contentions", "Acquires that met another holder and waited", tagged(key));
            case GRANTED -> granted(event);
            case NOT_GRANTED -> {
                stop(acquires, event.lockId());
                acquired(event, event.failure() == null ? "contended" : outcome(event.failure()));
            }
            case RENEWED -> renewed(event);
            case RELEASED -> {
                ended(event, "released");
                margin("syncguard.lease.margin", "The share of the ttl that was left at the release", event);
            }
            case RELEASE_FAILED -> ended(event, "release-failed");
            case LOST -> {
                ended(event, "lost");
                count(
                        "syncguard.leases.lost",
                        "Leases that were lost before their holder released them",
                        tagged(key).and("reason", reason(event.failure())));
            }
        }
    }

    private void granted(LeaseEvent event) {
        stop(acquires, event.lockId());
        acquired(event, "granted");
        if (event.lockId() != null) {
            leases.put(event.lockId(), held.start());
        }
        if (event.fence() != null) {
            fences.granted(event.key(), event.fence());
        }
    }

    private void acquired(LeaseEvent event, String outcome) {
        Timer.builder("syncguard.acquires")
                .description("From the call to the grant or the failure, the wait included")
                .tags(tagged(event.key()).and("outcome", outcome, "error", error(event.failure())))
                .register(registry)
                .record(event.nanos(), TimeUnit.NANOSECONDS);
    }

    private void renewed(LeaseEvent event) {
        String outcome = event.failure() == null ? "ok" : "fail";
        Timer.builder("syncguard.renewals")
                .description("Extensions in the background")
                .tags(tagged(event.key()).and("outcome", outcome, "error", error(event.failure())))
                .register(registry)
                .record(event.nanos(), TimeUnit.NANOSECONDS);
        margin("syncguard.renewal.margin", "The share of the ttl that was left when a renewal was sent", event);
    }

    /** Once for each lease: a release that failed is not told again when it is repeated, nor is a loss after it. */
    private void ended(LeaseEvent event, String end) {
        if (!stop(leases, event.lockId())) {
            return;
        }
        Timer.builder("syncguard.leases")
                .description("From the grant to the release or the loss")
                .tags(tagged(event.key()).and("end", end))
                .register(registry)
                .record(event.nanos(), TimeUnit.NANOSECONDS);
    }

    private void margin(String name, String description, LeaseEvent event) {
        DistributionSummary.builder(name)
                .description(description)
                .baseUnit("ratio")
                .tags(tagged(event.key()))
                .register(registry)
                .record(event.remainingShare());
    }

    private void count(String name, String description, Tags all) {
        Counter.builder(name)
                .description(description)
                .tags(all)
                .register(registry)
                .increment();
    }

    private Tags tagged(LockKey key) {
        return tags.and(keys.of(key));
    }

    private static boolean stop(Map<LockId, LongTaskTimer.Sample> samples, @Nullable LockId lockId) {
        LongTaskTimer.Sample sample = lockId == null ? null : samples.remove(lockId);
        if (sample == null) {
            return false;
        }
        sample.stop();
        return true;
    }

    private static String outcome(LockException failure) {
        return failure.code() == Code.ACQUISITION_TIMEOUT ? "contended" : "error";
    }

    private static String error(@Nullable LockException failure) {
        return error(failure == null ? null : failure.code());
    }

    private static String error(@Nullable Code code) {
        return code == null ? NONE : code.specName();
    }

    private static String reason(@Nullable LockException failure) {
        return failure instanceof LeaseLostException loss ? loss.reason().specName() : NONE;
    }
}
