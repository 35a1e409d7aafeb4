package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.spi.LockIds;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * From lock ids to the keys they hold.
 *
 * <p>New ids stand in a small map; those that are still held when it is full move to a large one. So a lock that comes and
 * goes beside a million others meets none of their memory: ids are random, each look into the large map would wait for a
 * place that is in no cache, and each write would leave the garbage collector a piece of an old table to look through. It
 * need not even look there whether its id holds another key (ACQ-4), because an id that was drawn here stands in the small
 * map, marked as unused, from then on.
 *
 * <p>An id is in one of the maps at any time. All that happens to it in the small one is atomic, its move included: who
 * does not find it there finds it in the large one.
 */
final class LockIdIndex {

    private static final int SPREAD = 512; // threads that write to the same cache line wait for each other
    private static final int MOST_RECENT = 1024;
    private static final int ASK_SIZE_EVERY = 64; // it is the sum of what all threads have counted

    private final ConcurrentHashMap<LockId, MemorySlot> recent;
    private final ConcurrentHashMap<LockId, MemorySlot> settled = new ConcurrentHashMap<>();
    private final MemorySlot unused;

    LockIdIndex(MemoryStore store) {
        this(store, SPREAD);
    }

    LockIdIndex(MemoryStore store, int spread) {
        this.recent = new ConcurrentHashMap<>(spread);
        this.unused = new MemorySlot(store, "");
    }

    LockId draw() {
        return drawn(LockIds.random());
    }

    /** Marks an id that no caller has seen yet. */
    LockId drawn(LockId lockId) {
        recent.put(lockId, unused);
        if (lockId.hashCode() % ASK_SIZE_EVERY == 0 && recent.mappingCount() > MOST_RECENT) {
            settle();
        }
        return lockId;
    }

    @Nullable
    MemorySlot find(LockId lockId) {
        MemorySlot slot = recent.get(lockId);
        if (slot == null) {
            return settled.get(lockId);
        }
        return slot == unused ? null : slot;
    }

    /** Enters an id for a slot; false if it stands there for another one. */
    boolean add(LockId lockId, MemorySlot slot) {
        if (recent.replace(lockId, unused, slot)) {
            return true;
        }
        MemorySlot owner = null;
        while (owner == null) { // again if it was removed from the large map meanwhile
            owner = recent.computeIfAbsent(lockId, id -> settled.containsKey(id) ? null : slot);
            if (owner == null) {
                owner = settled.get(lockId);
            }
        }
        return owner == slot;
    }

    void remove(LockId lockId, MemorySlot slot) {
        if (!recent.remove(lockId, slot)) {
            settled.remove(lockId, slot);
        }
    }

    /** Empties the small map; several threads may do it at once. What was drawn and not used is forgotten. */
    void settle() {
        recent.keySet()
                .forEach(lockId -> recent.computeIfPresent(lockId, (id, slot) -> {
                    if (slot != unused) {
                        settled.put(id, slot);
                    }
                    return null;
                }));
    }

    /** For tests. */
    long size() {
        return recent.mappingCount() + settled.mappingCount();
    }
}
