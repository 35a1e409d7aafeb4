package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.spi.StoreDiagnostics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Looks for what is wrong with the lock file, its place and this machine's clock. */
final class SqliteDiagnostics implements StoreDiagnostics {

    private static final long MANY_COUNTERS = 1_000_000;
    private static final long ENOUGH_BYTES = 64L << 20;
    private static final long CLOCK_LIMIT_MS = 500;
    private static final String COMMIT_IS_DURABLE = "2";

    private final Sessions sessions;
    private final long startMs = System.currentTimeMillis();
    private final long start = System.nanoTime();

    SqliteDiagnostics(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        return sessions.read(signal, session -> {
            List<Finding> findings = new ArrayList<>();
            Path file = session.file().path();
            findings.add(journal(text(session, "PRAGMA journal_mode")));
            findings.add(synchronous(text(session, "PRAGMA synchronous")));
            findings.add(integrity(session));
            findings.add(counters(session));
            findings.add(clock(session));
            findings.add(fileSystem(file));
            findings.add(permissions(file));
            findings.add(space(file));
            return List.copyOf(findings);
        });
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
        long nowMs = System.currentTimeMillis();
        long jumpMs = (nowMs - startMs) - (System.nanoTime() - start) / 1_000_000;
        long behindMs = newestMs - nowMs;
        if (Math.abs(jumpMs) <= CLOCK_LIMIT_MS && behindMs <= CLOCK_LIMIT_MS) {
            return ok("sqlite.clock", "this machine's clock has moved by " + jumpMs + " ms against the monotonic one");
        }
        String what = behindMs > CLOCK_LIMIT_MS
                ? "this machine's clock is " + behindMs + " ms behind the newest lock: locks last longer by that"
                : "this machine's clock has jumped by " + jumpMs + " ms since this backend was made";
        return new Finding("sqlite.clock", Level.WARN, what, "let the clock slew, never step");
    }

    private static Finding fileSystem(Path file) {
        String type = DatabaseFile.fileSystem(file);
        if (type.isEmpty()) {
            return unknown("sqlite.filesystem", "the type of the file system could not be read");
        }
        return type.startsWith("fuse") || type.equals("virtiofs")
                ? new Finding(
                        "sqlite.filesystem",
                        Level.WARN,
                        "the file system is " + type + ": safe only if no other machine mounts it",
                        "use a local disk")
                : ok("sqlite.filesystem", "the file system is " + type);
    }

    private static Finding permissions(Path file) {
        if (!OwnerOnly.isPosix(file)) {
            return unknown("sqlite.permissions", "this system has no POSIX permissions");
        }
        try {
            Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
            others.removeAll(PosixFilePermissions.fromString("rwx------"));
            return others.isEmpty()
                    ? ok("sqlite.permissions", "only the owner can use the file")
                    : new Finding(
                            "sqlite.permissions",
                            Level.WARN,
                            "others can use the file (" + others.size() + " permissions): keys and lock ids are in it",
                            "chmod 600, and 700 for its folder, unless it is shared on purpose");
        } catch (IOException e) {
            return unknown("sqlite.permissions", "the permissions could not be read");
        }
    }

    private static Finding space(Path file) {
        try {
            long bytes = Files.getFileStore(file).getUsableSpace();
            return bytes >= ENOUGH_BYTES
                    ? ok("sqlite.space", (bytes >> 20) + " MiB are free")
                    : new Finding(
                            "sqlite.space",
                            Level.WARN,
                            "only " + (bytes >> 20) + " MiB are free: on a full disk nothing can be locked or released",
                            "make room");
        } catch (IOException e) {
            return unknown("sqlite.space", "the free space could not be read");
        }
    }

    private static Finding unknown(String id, String message) {
        return new Finding(id, Level.UNKNOWN, message, "");
    }

    private static Finding ok(String id, String message) {
        return new Finding(id, Level.OK, message, "");
    }
}
