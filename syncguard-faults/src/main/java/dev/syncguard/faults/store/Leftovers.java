package dev.syncguard.faults.store;

import java.util.List;

/**
 * What is in a store.
 *
 * @param locks the locks
 * @param others what belongs to locks, or to nobody; by name
 * @param counters how many fence counters there are
 */
public record Leftovers(List<Lock> locks, List<String> others, int counters) {

    /**
     * A lock as it is stored.
     *
     * @param key the key of the user
     * @param lockId the lock id
     */
    public record Lock(String key, String lockId) {}

    /** How many things are left besides fence counters. */
    public int count() {
        return locks.size() + others.size();
    }
}
