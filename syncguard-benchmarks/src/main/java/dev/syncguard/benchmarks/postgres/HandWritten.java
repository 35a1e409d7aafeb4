package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.harness.Candidate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** The least that gives a fenced lock with an expiry: one statement to take it, one to give it back. No waiting. */
final class HandWritten implements Candidate {

    private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    private static final String TAKE = "WITH raised AS (INSERT INTO hand_counters AS c (key, fence) VALUES (?, 1)"
            + " ON CONFLICT (key) DO UPDATE SET fence = c.fence + 1 RETURNING fence)"
            + " INSERT INTO hand_locks AS l (key, lock_id, expires_at_ms, fence)"
            + " SELECT ?, ?, " + NOW + " + 30000, fence FROM raised"
            + " ON CONFLICT (key) DO UPDATE SET lock_id = excluded.lock_id, expires_at_ms = excluded.expires_at_ms,"
            + " fence = excluded.fence WHERE l.expires_at_ms <= " + NOW + " RETURNING fence";
    private static final String GIVE = "DELETE FROM hand_locks WHERE lock_id = ? AND expires_at_ms > " + NOW;

    private final HikariDataSource source;

    HandWritten(HikariDataSource source) throws SQLException {
        this.source = source;
        try (Connection connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS hand_counters (key text PRIMARY KEY, fence bigint NOT NULL)");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS hand_locks (key text PRIMARY KEY, lock_id text NOT NULL UNIQUE,"
                            + " expires_at_ms bigint NOT NULL, fence bigint NOT NULL)");
            statement.execute("CREATE INDEX IF NOT EXISTS hand_expiry ON hand_locks (expires_at_ms)");
        }
    }

    @Override
    public void locked(String key, Runnable body) throws SQLException {
        String id = UUID.randomUUID().toString();
        try (Connection connection = source.getConnection();
                PreparedStatement take = connection.prepareStatement(TAKE)) {
            take.setString(1, key);
            take.setString(2, key);
            take.setString(3, id);
            try (ResultSet rows = take.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("contended");
                }
            }
        }
        body.run();
        try (Connection connection = source.getConnection();
                PreparedStatement give = connection.prepareStatement(GIVE)) {
            give.setString(1, id);
            give.executeUpdate();
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
