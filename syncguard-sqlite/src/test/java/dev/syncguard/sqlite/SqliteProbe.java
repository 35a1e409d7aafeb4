package dev.syncguard.sqlite;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.tck.StoreProbe;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/** Looks into the tables with statements and a connection of its own. */
record SqliteProbe(Path file) implements StoreProbe {

    interface Rows<T> {
        T read(ResultSet rows) throws SQLException;
    }

    <T> T query(String sql, Rows<T> reader, Object... values) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void update(String sql, Object... values) {
        query(sql + " RETURNING 1", ResultSet::next, values);
    }

    @Override
    public Optional<StoredLock> stored(String key) {
        return query(
                "SELECT * FROM syncguard_locks WHERE key = ?",
                rows -> rows.next() ? Optional.of(lock(rows)) : Optional.empty(),
                key);
    }

    private static StoredLock lock(ResultSet rows) throws SQLException {
        return new StoredLock(
                rows.getString("user_key"),
                LockId.parse(rows.getString("lock_id")),
                rows.getLong("acquired_at_ms"),
                rows.getLong("expires_at_ms"),
                Fence.parse(rows.getString("fence")));
    }

    @Override
    public void expire(String key) {
        expireAgo(key, Duration.ofMinutes(1));
    }

    @Override
    public void expireAgo(String key, Duration ago) {
        update("UPDATE syncguard_locks SET expires_at_ms = ? WHERE key = ?", nowMs() - ago.toMillis(), key);
    }

    @Override
    public long fenceCounter(String key) {
        return query(
                "SELECT fence FROM syncguard_fence_counters WHERE fence_key = ?",
                rows -> rows.next() ? rows.getLong(1) : 0,
                "fence:" + key);
    }

    @Override
    public void setFenceCounter(String key, long value) {
        update(
                "INSERT INTO syncguard_fence_counters (fence_key, fence) VALUES (?, ?)"
                        + " ON CONFLICT (fence_key) DO UPDATE SET fence = excluded.fence",
                "fence:" + key,
                value);
    }

    @Override
    public long nowMs() {
        return System.currentTimeMillis();
    }
}
