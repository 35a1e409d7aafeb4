package dev.syncguard.cli.text;

import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The share of its time that each lock has left. A lock's time runs from its grant to its expiry until it is seen to be
 * extended: from then on it is the most that was seen left, because no store keeps the ttl.
 */
final class TimeBars {

    private record Seen(long expiresAtMs, long wholeMs, boolean extended) {}

    private final Map<LockId, Seen> locks = new HashMap<>();

    /** Forgets the locks that have gone. */
    void retain(List<StoredLock> live) {
        locks.keySet().retainAll(live.stream().map(StoredLock::lockId).collect(Collectors.toSet()));
    }

    /** Returns a number from 0 to 1. */
    double share(StoredLock lock, long nowMs) {
        long left = Math.max(0, lock.expiresAtMs() - nowMs);
        Seen seen = locks.compute(lock.lockId(), (id, before) -> seen(lock, left, before));
        return Math.min(1, (double) left / Math.max(1, seen.wholeMs()));
    }

    private static Seen seen(StoredLock lock, long left, @Nullable Seen before) {
        if (before == null) {
            return new Seen(lock.expiresAtMs(), lock.expiresAtMs() - lock.acquiredAtMs(), false);
        }
        boolean extended = before.expiresAtMs() != lock.expiresAtMs();
        if (!extended && !before.extended()) {
            return before;
        }
        return new Seen(lock.expiresAtMs(), before.extended() ? Math.max(before.wholeMs(), left) : left, true);
    }
}
