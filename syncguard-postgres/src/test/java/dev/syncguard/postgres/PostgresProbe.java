package dev.syncguard.postgres;

import dev.syncguard.Fence;
import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.tck.StoreProbe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Looks into the tables with statements of its own. */
record PostgresProbe(TestDatabase database) implements StoreProbe {

    private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    private interface Rows<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private <T> T query(String sql, Rows<T> reader, Object... values) {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(database.named(sql))) {
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

    @Override
    public Optional<StoredLock> stored(String key) {
        return query(
                "SELECT * FROM {locks} WHERE key = ?",
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
        query(
                "UPDATE {locks} SET expires_at_ms = " + NOW + " - ? WHERE key = ? RETURNING 1",
                ResultSet::next,
                ago.toMillis(),
                key);
    }

    @Override
    public long fenceCounter(String key) {
        return query(
                "SELECT fence FROM {counters} WHERE fence_key = ?",
                rows -> rows.next() ? rows.getLong(1) : 0,
                "fence:" + key);
    }

    @Override
    public void setFenceCounter(String key, long value) {
        query(
                "INSERT INTO {counters} AS c (fence_key, fence) VALUES (?, ?) ON CONFLICT (fence_key) DO UPDATE"
                        + " SET fence = excluded.fence RETURNING 1",
                ResultSet::next,
                "fence:" + key,
                value);
    }

    @Override
    public long nowMs() {
        return query("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint", rows -> {
            rows.next();
            return rows.getLong(1);
        });
    }
}
