package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.spi.StoreDiagnostics;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Looks for what is wrong with SQLite, the lock file and this machine's clock. */
final class SqliteDiagnostics implements StoreDiagnostics {

    private static final long MANY_COUNTERS = 1_000_000;
    private static final long CLOCK_LIMIT_MS = 500;
    private static final String COMMIT_IS_DURABLE = "2";
    private static final String LOG_IS_SOUND = "3.51.3";

    private final Sessions sessions;
    private final LongSupplier clockMs;
    private final long startMs;
    private final long start = System.nanoTime();

    SqliteDiagnostics(Sessions sessions) {
        this(sessions, System::currentTimeMillis);
    }

    SqliteDiagnostics(Sessions sessions, LongSupplier clockMs) {
        this.sessions = sessions;
        this.clockMs = clockMs;
        this.startMs = clockMs.getAsLong();
    }

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        return sessions.read(signal, session -> {
            List<Finding> findings = new ArrayList<>(settings(session));
            findings.add(integrity(session));
            findings.add(counters(session));
            findings.add(clock(session));
            return List.copyOf(findings);
        });
    }

    /** The findings of a start: cheap, whatever the size of the file. */
    List<Finding> settings() {
        return sessions.read(AbortSignal.none(), SqliteDiagnostics::settings);
    }

    static List<Finding> settings(Session session) throws SQLException {
        Path file = session.file().path();
        return List.of(
                journal(text(session, "PRAGMA journal_mode")),
                synchronous(text(session, "PRAGMA synchronous")),
                version(text(session, "SELECT sqlite_version()")),
                labels(session.hasLabels()),
                PlaceDiagnostics.fileSystem(DatabaseFile.fileSystem(file)),
                PlaceDiagnostics.permissions(file),
                PlaceDiagnostics.space(file));
    }

    private static String text(Session session, String sql) throws SQLException {
        return session.query(sql, rows -> String.valueOf(rows.getString(1)));
    }

    private static Finding journal(String mode) {
        return mode.equals("wal")
                ? ok("sqlite.journal", "the file keeps a write-ahead log")
                : new Finding(
                        "sqlite.journal",
                        Level.DANGER,
                        "the journal mode is " + mode + ": a process that is stopped while it reads stops all writers",
                        "PRAGMA journal_mode = WAL");
    }

    private static Finding synchronous(String level) {
        return level.equals(COMMIT_IS_DURABLE)
                ? ok("sqlite.synchronous", "a grant is on the disk before it is returned")
                : new Finding(
                        "sqlite.synchronous",
                        Level.DANGER,
                        "synchronous is " + level + ": a power failure can lose grants and fences",
                        "report this: the backend sets it to FULL");
    }

    /** Older ones can damage a file when a checkpoint meets a commit that starts the log again. */
    static Finding version(String version) {
        return SqliteDriver.compare(version, LOG_IS_SOUND) >= 0
                ? ok("sqlite.version", "SQLite is " + version)
                : new Finding(
                        "sqlite.version",
                        Level.WARN,
                        "SQLite " + version + " can damage the file, very rarely, when two processes write at once (its"
                                + " WAL-reset bug)",
                        "use sqlite-jdbc " + LOG_IS_SOUND + ".0 or newer");
    }

    /** No weakness: who holds a lock is for people to know. */
    static Finding labels(boolean kept) {
        return kept
                ? ok("sqlite.labels", "the file keeps the labels of holders")
                : new Finding(
                        "sqlite.labels",
                        Level.OK,
                        "the file was created by an earlier version and has no place for the labels of holders: they are"
                                + " left out",
                        "ALTER TABLE syncguard_locks ADD COLUMN label TEXT NULL; ALTER TABLE syncguard_locks ADD COLUMN"
                                + " label_lock_id TEXT NULL");
    }

    private static Finding integrity(Session session) throws SQLException {
        String answer = text(session, "PRAGMA quick_check(1)");
        return answer.equals("ok")
                ? ok("sqlite.integrity", "the file is sound")
                : new Finding(
                        "sqlite.integrity",
                        Level.DANGER,
                        "the file is damaged",
                        "stop every process that uses it, move it away with its -wal and -shm, and go on with"
                                + " FenceMode.TIME_FLOORED or after 'fence raise'");
    }

    private static Finding counters(Session session) throws SQLException {
        long count = session.query(
                "SELECT count(*) FROM (SELECT 1 FROM syncguard_fence_counters LIMIT ?)",
                rows -> rows.getLong(1),
                MANY_COUNTERS);
        return count < MANY_COUNTERS
                ? ok("sqlite.counters", count + " fence counters")
                : new Finding(
                        "sqlite.counters",
                        Level.WARN,
                        "a million fence counters or more; they are never deleted",
                        "use fewer different keys");
    }

    /** Either against the monotonic clock while this process runs, or against what stands in the file. */
    private Finding clock(Session session) throws SQLException {
        long newestMs =
                session.query("SELECT coalesce(max(acquired_at_ms), 0) FROM syncguard_locks", rows -> rows.getLong(1));
        long nowMs = clockMs.getAsLong();
        long jumpMs = (nowMs - startMs) - (System.nanoTime() - start) / 1_000_000;
        long behindMs = newestMs - nowMs;
        if (Math.abs(jumpMs) <= CLOCK_LIMIT_MS && behindMs <= CLOCK_LIMIT_MS) {
            return ok("sqlite.clock", "this machine's clock has moved by " + jumpMs + " ms against the monotonic one");
        }
        String what = behindMs > CLOCK_LIMIT_MS
                ? "this machine's clock is " + behindMs + " ms behind the newest lock: locks last longer by that"
                : "this machine's clock has jumped by " + jumpMs + " ms since this backend was created";
        return new Finding("sqlite.clock", Level.WARN, what, "let the clock slew, never step");
    }

    static Finding ok(String id, String message) {
        return new Finding(id, Level.OK, message, "");
    }
}
