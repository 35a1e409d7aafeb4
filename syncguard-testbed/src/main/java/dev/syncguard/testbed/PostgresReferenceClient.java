package dev.syncguard.testbed;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A client as the specification describes the reference on PostgreSQL: a transaction of several statements for each
 * operation, the time of its beginning, an advisory lock around a read and an unconditional write. For keys that are not
 * hashed. Keeps one connection, so it is for one thread.
 */
public final class PostgresReferenceClient implements AutoCloseable {

    private static final long TOLERANCE_MS = 1000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Connection connection;
    private final String locks;
    private final String counters;

    /**
     * A lock as this client sees it.
     *
     * @param key the key
     * @param lockId who holds it
     * @param fence its fence, 15 digits
     * @param expiresAtMs when it expires, by the server's clock
     */
    public record Held(String key, String lockId, String fence, long expiresAtMs) {}

    /**
     * Opens a client.
     *
     * @param dataSource gives a connection
     * @param locks the quoted name of the table of the locks
     * @param counters the quoted name of the table of the counters
     * @throws SQLException if there is no connection
     */
    public PostgresReferenceClient(DataSource dataSource, String locks, String counters) throws SQLException {
        this.connection = dataSource.getConnection();
        this.locks = locks;
        this.counters = counters;
        connection.setAutoCommit(false);
    }

    private interface Work<T> {
        T run(long nowMs) throws SQLException;
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        try {
            T result = work.run(number("SELECT floor(extract(epoch FROM now()) * 1000)::bigint"));
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    /**
     * Asks for a lock once.
     *
     * @param key the key
     * @param ttlMs how long it lasts
     * @return the lock; empty if another client holds it
     * @throws SQLException if the database fails
     */
    public Optional<Held> acquire(String key, long ttlMs) throws SQLException {
        String storageKey = Normalizer.normalize(key, Normalizer.Form.NFC);
        return inTransaction(nowMs -> {
            number("SELECT 1 FROM pg_advisory_xact_lock(hashtext(?))", storageKey);
            return live("key = ? FOR UPDATE", storageKey, nowMs).isPresent()
                    ? Optional.empty()
                    : Optional.of(write(storageKey, nowMs + ttlMs, nowMs));
        });
    }

    private Held write(String key, long expiresAtMs, long nowMs) throws SQLException {
        String fenceKey = "fence:" + key;
        update(
                "INSERT INTO " + counters + " (fence_key, fence, key_debug) VALUES (?, 0, ?)"
                        + " ON CONFLICT (fence_key) DO NOTHING",
                fenceKey,
                key);
        long fence =
                number("UPDATE " + counters + " SET fence = fence + 1 WHERE fence_key = ? RETURNING fence", fenceKey);
        Held held = new Held(key, newLockId(), String.format("%015d", fence), expiresAtMs);
        update(
                "INSERT INTO " + locks + " (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                        + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET lock_id = excluded.lock_id,"
                        + " expires_at_ms = excluded.expires_at_ms, acquired_at_ms = excluded.acquired_at_ms,"
                        + " fence = excluded.fence, user_key = excluded.user_key",
                key,
                held.lockId(),
                expiresAtMs,
                nowMs,
                held.fence(),
                key);
        return held;
    }

    private static String newLockId() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Releases a lock.
     *
     * @param lockId who holds it
     * @return whether it was held
     * @throws SQLException if the database fails
     */
    public boolean release(String lockId) throws SQLException {
        return inTransaction(nowMs -> {
            Optional<Held> found = live("lock_id = ? FOR UPDATE", lockId, nowMs);
            return found.isPresent()
                    && update(
                                    "DELETE FROM " + locks + " WHERE key = ?",
                                    found.get().key())
                            == 1;
        });
    }

    /**
     * Extends a lock.
     *
     * @param lockId who holds it
     * @param ttlMs how long it lasts from now
     * @return whether it was held
     * @throws SQLException if the database fails
     */
    public boolean extend(String lockId, long ttlMs) throws SQLException {
        return inTransaction(nowMs -> {
            Optional<Held> found = live("lock_id = ? FOR UPDATE", lockId, nowMs);
            String sql = "UPDATE " + locks + " SET expires_at_ms = ? WHERE key = ?";
            return found.isPresent() && update(sql, nowMs + ttlMs, found.get().key()) == 1;
        });
    }

    /**
     * Looks a lock up.
     *
     * @param key the key
     * @return the lock; empty if nobody holds it
     * @throws SQLException if the database fails
     */
    public Optional<Held> lookup(String key) throws SQLException {
        return inTransaction(nowMs -> live("key = ?", key, nowMs));
    }

    private Optional<Held> live(String condition, String argument, long nowMs) throws SQLException {
        try (PreparedStatement statement = prepare("SELECT * FROM " + locks + " WHERE " + condition, argument);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next() || rows.getLong("expires_at_ms") <= nowMs - TOLERANCE_MS) {
                return Optional.empty();
            }
            return Optional.of(new Held(
                    rows.getString("key"),
                    rows.getString("lock_id"),
                    rows.getString("fence"),
                    rows.getLong("expires_at_ms")));
        }
    }

    private long number(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = prepare(sql, arguments);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private int update(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = prepare(sql, arguments)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
