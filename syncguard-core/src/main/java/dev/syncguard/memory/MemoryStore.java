package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.StoredLock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The slots of all keys, and the index from lock ids to them. */
final class MemoryStore {

    private final ConcurrentHashMap<String, MemorySlot> slots = new ConcurrentHashMap<>();
    private final LockIdIndex index = new LockIdIndex(this);
    private final MemoryHandOver handOver = new MemoryHandOver();
    private final LongSupplier clock;

    MemoryStore(LongSupplier clock) {
        this.clock = clock;
    }

    long nowMs() {
        return clock.getAsLong();
    }

    LockIdIndex index() {
        return index;
    }

    MemoryHandOver handOver() {
        return handOver;
    }

    /** Returns the slot of a key, made on first use. */
    MemorySlot slot(String key) {
        MemorySlot slot = slots.get(key);
        return slot != null ? slot : slots.computeIfAbsent(key, name -> new MemorySlot(this, name));
    }

    @Nullable
    MemorySlot slotOf(LockId lockId) {
        return index.find(lockId);
    }

    /** The slot of a lock id that holds nothing is that of its key, if known: it may wait there. */
    @Nullable
    MemorySlot slotOf(LockId lockId, @Nullable LockKey key) {
        MemorySlot slot = index.find(lockId);
        return slot != null || key == null ? slot : slots.get(key.value());
    }

    Optional<StoredLock> find(String key) {
        return live(slots.get(key));
    }

    Optional<StoredLock> find(LockId lockId) {
        return live(index.find(lockId)).filter(lock -> lock.lockId().equals(lockId));
    }

    private Optional<StoredLock> live(@Nullable MemorySlot slot) {
        StoredLock lock = slot == null ? null : slot.held();
        return Optional.ofNullable(lock).filter(found -> Liveness.isLive(found.expiresAtMs(), nowMs()));
    }

    long counters() {
        return slots.mappingCount();
    }

    Page list(Optional<String> cursor, int limit) {
        List<StoredLock> locks = slots.entrySet().stream()
                .filter(entry -> cursor.isEmpty() || entry.getKey().compareTo(cursor.get()) > 0)
                .flatMap(entry -> live(entry.getValue()).stream())
                .sorted((a, b) -> a.key().compareTo(b.key()))
                .limit(limit)
                .toList();
        boolean last = locks.size() < limit;
        return new Page(
                locks,
                last
                        ? Optional.empty()
                        : Optional.of(locks.get(locks.size() - 1).key()));
    }
}
