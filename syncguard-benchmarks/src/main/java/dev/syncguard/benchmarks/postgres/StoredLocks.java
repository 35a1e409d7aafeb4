package dev.syncguard.benchmarks.postgres;

import dev.syncguard.postgres.PostgresNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Held locks, written past every client in the stored format. */
final class StoredLocks {

    private static final long DAY_MS = 86_400_000;

    private StoredLocks() {}

    /** Fills empty tables and returns the bytes of table and indexes for each lock and its counter. */
    static double fill(DataSource source, PostgresNames names, int locks) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            long now = System.currentTimeMillis();
            statement.execute("INSERT INTO " + names.locks()
                    + " (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key) SELECT 'held-' || n, n || 'A', "
                    + (now + DAY_MS) + ", "
                    + now + ", lpad('1', 15, '0'), 'held-' || n FROM (SELECT lpad(i::text, 21, '0') AS n"
                    + " FROM generate_series(1, " + locks + ") AS i) AS numbers");
            statement.execute("INSERT INTO " + names.counters()
                    + " SELECT 'fence:held-' || lpad(i::text, 21, '0'), 1 FROM generate_series(1, " + locks + ") AS i");
            statement.execute("VACUUM ANALYZE " + names.locks());
            statement.execute("VACUUM ANALYZE " + names.counters());
            try (ResultSet rows = statement.executeQuery("SELECT pg_total_relation_size('" + names.locks()
                    + "') + pg_total_relation_size('" + names.counters() + "')")) {
                rows.next();
                return rows.getDouble(1) / locks;
            }
        }
    }
}
