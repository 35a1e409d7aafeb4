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
     * @param expiresAtMs until when it is a lock; the record may stay for longer
     */
    public record Lock(String key, String lockId, long expiresAtMs) {

        /** Whether it keeps others out. */
        public boolean isLive() {
            return expiresAtMs > System.currentTimeMillis();
        }
    }

    /** How many things are left besides fence counters. */
    public int count() {
        return locks.size() + others.size();
    }
}
