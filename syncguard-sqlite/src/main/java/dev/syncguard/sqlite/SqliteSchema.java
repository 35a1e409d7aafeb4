package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Prepares a file to keep locks, and refuses one that belongs to something else. */
final class SqliteSchema {

    private static final String LOG = "wal";
    private static final long LONGEST_PAUSE = 10_000_000;

    private static final String LOCKS = """
            CREATE TABLE IF NOT EXISTS syncguard_locks (
                key            TEXT   NOT NULL PRIMARY KEY,
                lock_id        TEXT   NOT NULL UNIQUE,
                expires_at_ms  BIGINT NOT NULL,
                acquired_at_ms BIGINT NOT NULL,
                fence          TEXT   NOT NULL,
                user_key       TEXT   NOT NULL,
                label          TEXT   NULL,
                label_lock_id  TEXT   NULL
            ) WITHOUT ROWID""";

    private static final String COUNTERS = """
            CREATE TABLE IF NOT EXISTS syncguard_fence_counters (
                fence_key TEXT   NOT NULL PRIMARY KEY,
                fence     BIGINT NOT NULL DEFAULT 0,
                key_debug TEXT   NULL
            ) WITHOUT ROWID""";

    /** Every column of every table: name, type and place in the primary key. */
    private static final String COLUMNS = """
            SELECT tab.name || '.' || col.name || ' ' || replace(upper(col.type), 'BIGINT', 'INTEGER') || ' ' || col.pk
            FROM sqlite_master AS tab JOIN pragma_table_info(tab.name) AS col
            WHERE tab.type = 'table'""";

    private static final Set<String> WANTED = Set.of(
            "syncguard_locks.key TEXT 1",
            "syncguard_locks.lock_id TEXT 0",
            "syncguard_locks.expires_at_ms INTEGER 0",
            "syncguard_locks.acquired_at_ms INTEGER 0",
            "syncguard_locks.fence TEXT 0",
            "syncguard_locks.user_key TEXT 0",
            "syncguard_fence_counters.fence_key TEXT 1",
            "syncguard_fence_counters.fence INTEGER 0");

    /** The place of labels, which files of earlier versions have not. */
    private static final Set<String> LABELS =
            Set.of("syncguard_locks.label TEXT 0", "syncguard_locks.label_lock_id TEXT 0");

    private SqliteSchema() {}

    static void ensure(Session session, TimeLimit limit) throws SQLException {
        Set<String> columns = session.query(COLUMNS, SqliteSchema::texts);
        if (!columns.isEmpty() && !columns.containsAll(WANTED)) {
            throw new LockException(
                    Code.INTERNAL,
                    "the lock file is a database with other tables, and is left as it is; choose another file");
        }
        boolean switched = useLog(session, limit);
        if (columns.isEmpty()) {
            session.transaction(created -> {
                created.run(LOCKS);
                created.run(COUNTERS);
                return true;
            });
        }
        if (columns.isEmpty() || switched) {
            columns = session.query(COLUMNS, SqliteSchema::texts); // another version may have created it meanwhile
        }
        session.hasLabels(columns.containsAll(LABELS));
        // A commit is on the disk when it returns; on macOS only the second says so to the drive as well.
        session.run("PRAGMA synchronous = FULL");
        session.run("PRAGMA fullfsync = ON");
    }

    /**
     * Switches to the write-ahead log, once for each file. Two processes that do this at once would wait for each other
     * inside SQLite until their time is up; so neither waits there, and both try again after a while of their own.
     *
     * @return whether it was switched now; SQLite opens the log, and so creates its files, at the next statement only
     */
    private static boolean useLog(Session session, TimeLimit limit) throws SQLException {
        boolean switched = false;
        while (!session.query("PRAGMA journal_mode", SqliteSchema::text).equals(LOG)) {
            session.waitAtMost(0);
            try {
                requireLog(session.query("PRAGMA journal_mode = WAL", SqliteSchema::text));
                switched = true;
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e) || limit.isOver()) {
                    throw e;
                }
                limit.pause(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
            }
            session.waitAtMost(limit.leftMillis());
        }
        return switched;
    }

    private static void requireLog(String mode) {
        if (!mode.equals(LOG)) {
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "the file system of the lock file lets processes share no memory; use a local disk");
        }
    }

    private static String text(ResultSet rows) throws SQLException {
        return rows.getString(1);
    }

    private static Set<String> texts(ResultSet rows) throws SQLException {
        Set<String> texts = new HashSet<>();
        while (rows.next()) {
            texts.add(rows.getString(1));
        }
        return texts;
    }
}
