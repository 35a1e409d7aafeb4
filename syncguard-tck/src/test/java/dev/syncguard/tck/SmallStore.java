package dev.syncguard.tck;

import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** A store of a few maps behind one monitor, for backends that are broken on purpose. */
class SmallStore implements StoreProbe {

    final TreeMap<String, StoredLock> locks = new TreeMap<>();
    final Map<LockId, String> index = new HashMap<>();
    final Map<String, Long> counters = new HashMap<>();
    final Set<String> waitedFor = new HashSet<>();
    final Map<String, List<SmallSubscription>> subscriptions = new HashMap<>();
    final SmallQueues queues = new SmallQueues();
    private final LongSupplier clock;

    SmallStore(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the name under which a key is stored. */
    String name(String key) {
        return key;
    }

    void put(String name, StoredLock lock) {
        locks.put(name, lock);
        index.put(lock.lockId(), name);
    }

    synchronized void subscribe(String name, SmallSubscription subscription) {
        subscriptions.computeIfAbsent(name, key -> new ArrayList<>()).add(subscription);
    }

    @Override
    public synchronized Optional<StoredLock> stored(String key) {
        return Optional.ofNullable(locks.get(name(key)));
    }

    @Override
    public void expire(String key) {
        expireAgo(key, Duration.ofSeconds(5));
    }

    @Override
    public synchronized void expireAgo(String key, Duration ago) {
        locks.computeIfPresent(name(key), (name, lock) -> endingAt(lock, nowMs() - ago.toMillis()));
    }

    static StoredLock endingAt(StoredLock lock, long expiresAtMs) {
        return lock.endingAt(expiresAtMs);
    }

    @Override
    public synchronized long fenceCounter(String key) {
        return counters.getOrDefault(name(key), 0L);
    }

    @Override
    public synchronized void setFenceCounter(String key, long value) {
        counters.put(name(key), value);
    }

    @Override
    public long nowMs() {
        return clock.getAsLong();
    }
}
