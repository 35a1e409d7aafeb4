package dev.syncguard.micrometer;

import dev.syncguard.Fence;
import dev.syncguard.LockKey;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** The highest fence of the first keys that were granted. */
final class FenceGauges {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Semaphore free;
    private final Map<String, AtomicLong> highest = new ConcurrentHashMap<>();

    FenceGauges(MeterRegistry registry, Tags tags, int most) {
        this.registry = registry;
        this.tags = tags;
        this.free = new Semaphore(most);
    }

    void granted(LockKey key, Fence fence) {
        AtomicLong known = highest.get(key.hash());
        if (known == null && free.tryAcquire()) {
            AtomicLong fresh = new AtomicLong();
            known = highest.putIfAbsent(key.hash(), fresh);
            if (known == null) {
                known = fresh;
                register(key, fresh);
            } else {
                free.release();
            }
        }
        if (known != null) {
            known.accumulateAndGet(fence.value(), Math::max);
        }
    }

    private void register(LockKey key, AtomicLong value) {
        Gauge.builder("syncguard.fence", value, AtomicLong::get)
                .description("The highest fence that was granted here")
                .tags(tags.and("key", key.hash()))
                .strongReference(true)
                .register(registry);
    }
}
