package dev.syncguard.sqlite;

import dev.syncguard.spi.support.WakeUp;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key that has waiters, and how it was found at the last look: where its counter stands and whether there is a
 * lock. A release after the look always shows. It removes the lock that was there; or, if that lock came after the look as
 * well, the counter has moved.
 */
final class WatchedKey {

    private static final String STATE = """
            SELECT coalesce((SELECT fence FROM syncguard_fence_counters WHERE fence_key = ?), 0)
                || CASE WHEN EXISTS (SELECT 1 FROM syncguard_locks WHERE key = ?) THEN ' held' ELSE ' free' END""";

    private final String key;
    private final String fenceKey;
    private final WakeUp waiter;
    private volatile @Nullable String seen;

    WatchedKey(String key, String fenceKey, WakeUp waiter) {
        this.key = key;
        this.fenceKey = fenceKey;
        this.waiter = waiter;
    }

    /** Looks again, and wakes the waiter if anything changed since the last look or if this is the first. */
    void look(Session session) throws SQLException {
        String state = session.query(STATE, rows -> rows.getString(1), fenceKey, key);
        if (!Objects.equals(state, seen)) {
            seen = state;
            waiter.wake();
        }
    }

    /** What happens from now on until the next look is not noticed. */
    void forget() {
        seen = null;
    }

    boolean isActive() {
        return seen != null;
    }
}
