package dev.syncguard.benchmarks.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Held locks, written past the backend in the stored format. */
final class StoredLocks {

    private static final long DAY_MS = 86_400_000;

    private StoredLocks() {}

    /** Fills a file that nobody has open and returns its bytes for each lock and its counter. */
    static double fill(Path file, int locks) throws SQLException, IOException {
        String numbers = "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < " + locks + ") ";
        long now = System.currentTimeMillis();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key) "
                            + numbers + "SELECT printf('held-%021d', n),"
                            + " printf('%021dA', n), " + (now + DAY_MS) + ", " + now
                            + ", '000000000000001', printf('held-%021d', n) FROM i");
            statement.executeUpdate("INSERT INTO syncguard_fence_counters (fence_key, fence) " + numbers
                    + "SELECT printf('fence:held-%021d', n), 1 FROM i");
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        return (double) Files.size(file) / locks;
    }
}
