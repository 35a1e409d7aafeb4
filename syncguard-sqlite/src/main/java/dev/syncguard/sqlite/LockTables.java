package dev.syncguard.sqlite;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.StoredLock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the two tables. A column of SQLite can hold any type, whatever its declaration, so every value is checked;
 * what is not as it should be is an error and stays as it is (A8).
 */
final class LockTables {

    private static final String LOCK = "SELECT user_key, lock_id, acquired_at_ms, expires_at_ms, fence, key";

    /** A client that does not know of labels leaves that of an earlier holder behind. */
    private static final String LABEL =
            ", CASE WHEN label_lock_id = lock_id AND typeof(label) = 'text' THEN substr(label, 1, "
                    + StoredLock.LONGEST_LABEL + ") END";

    private static final String STORE =
            "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key%s)"
                    + " VALUES (?, ?, ?, ?, ?, ?%s) ON CONFLICT (key) DO UPDATE SET lock_id = excluded.lock_id,"
                    + " expires_at_ms = excluded.expires_at_ms, acquired_at_ms = excluded.acquired_at_ms,"
                    + " fence = excluded.fence, user_key = excluded.user_key%s";

    private static final String STORE_PLAIN = String.format(STORE, "", "", "");
    private static final String STORE_LABELLED = String.format(
            STORE,
            ", label, label_lock_id",
            ", ?, ?",
            ", label = excluded.label, label_lock_id = excluded.label_lock_id");

    private LockTables() {}

    static Optional<StoredLock> byKey(Session session, String key) throws SQLException {
        return session.query(lock(session) + " FROM syncguard_locks WHERE key = ?", LockTables::first, key);
    }

    static Optional<StoredLock> byId(Session session, LockId lockId) throws SQLException {
        return session.query(
                lock(session) + " FROM syncguard_locks WHERE lock_id = ?", LockTables::first, lockId.value());
    }

    /** Whether a lock id holds another key than this one. */
    static boolean holdsOther(Session session, LockId lockId, String key) throws SQLException {
        return session.query(
                "SELECT 1 FROM syncguard_locks WHERE lock_id = ? AND key <> ?", ResultSet::next, lockId.value(), key);
    }

    static Page page(Session session, String after, long expiresAfterMs, int limit) throws SQLException {
        return session.query(
                lock(session) + " FROM syncguard_locks WHERE key > ? AND expires_at_ms > ? ORDER BY key LIMIT ?",
                rows -> page(rows, limit),
                after,
                expiresAfterMs,
                (long) limit);
    }

    private static String lock(Session session) {
        return session.hasLabels() ? LOCK + LABEL : LOCK + ", NULL";
    }

    static void store(Session session, String key, StoredLock lock) throws SQLException {
        List<Object> values = new ArrayList<>(List.of(
                key,
                lock.lockId().value(),
                lock.expiresAtMs(),
                lock.acquiredAtMs(),
                lock.fence().toString(),
                lock.key()));
        String label = session.hasLabels() ? lock.label() : null;
        if (label != null) {
            values.add(label);
            values.add(lock.lockId().value());
        }
        session.run(label == null ? STORE_PLAIN : STORE_LABELLED, values.toArray());
    }

    static void extend(Session session, LockId lockId, long expiresAtMs) throws SQLException {
        session.run("UPDATE syncguard_locks SET expires_at_ms = ? WHERE lock_id = ?", expiresAtMs, lockId.value());
    }

    static void delete(Session session, LockId lockId, long expiresAtMs) throws SQLException {
        session.run("DELETE FROM syncguard_locks WHERE lock_id = ? AND expires_at_ms = ?", lockId.value(), expiresAtMs);
    }

    static void delete(Session session, LockId lockId) throws SQLException {
        session.run("DELETE FROM syncguard_locks WHERE lock_id = ?", lockId.value());
    }

    /** Where a counter stands: 0 if there is none, -1 if it is not a number. */
    static long counter(Session session, String fenceKey) throws SQLException {
        return session.query(
                "SELECT fence FROM syncguard_fence_counters WHERE fence_key = ?",
                rows -> rows.next() ? counter(rows.getObject(1)) : 0,
                fenceKey);
    }

    private static long counter(@Nullable Object value) {
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : -1;
    }

    static void count(Session session, String fenceKey, Fence fence) throws SQLException {
        session.run(
                "INSERT INTO syncguard_fence_counters (fence_key, fence) VALUES (?, ?)"
                        + " ON CONFLICT (fence_key) DO UPDATE SET fence = excluded.fence",
                fenceKey,
                fence.value());
    }

    private static Optional<StoredLock> first(ResultSet rows) throws SQLException {
        return rows.next() ? Optional.of(lock(rows)) : Optional.empty();
    }

    private static Page page(ResultSet rows, int limit) throws SQLException {
        List<StoredLock> locks = new ArrayList<>();
        String last = "";
        while (rows.next()) {
            locks.add(lock(rows));
            last = text(rows, 6);
        }
        return new Page(List.copyOf(locks), locks.size() < limit ? Optional.empty() : Optional.of(last));
    }

    private static StoredLock lock(ResultSet rows) throws SQLException {
        String userKey = text(rows, 1);
        long acquiredAtMs = number(rows, 3);
        long expiresAtMs = number(rows, 4);
        try {
            return new StoredLock(
                    userKey,
                    LockId.parse(text(rows, 2)),
                    acquiredAtMs,
                    expiresAtMs,
                    Fence.parse(text(rows, 5)),
                    rows.getObject(7) instanceof String label ? label : null);
        } catch (LockException e) {
            throw damaged();
        }
    }

    private static long number(ResultSet rows, int column) throws SQLException {
        Object value = rows.getObject(column);
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        throw damaged();
    }

    private static String text(ResultSet rows, int column) throws SQLException {
        if (rows.getObject(column) instanceof String text) {
            return text;
        }
        throw damaged();
    }

    private static LockException damaged() {
        return new LockException(
                Code.INTERNAL,
                "foreign value in the lock file: a row of syncguard_locks is not a lock; delete that row");
    }
}
