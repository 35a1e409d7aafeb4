package dev.syncguard.postgres;

import dev.syncguard.FenceMode;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges the settings of the server and of the session. */
record SettingFindings(FenceMode fenceMode, PostgresNames names) {

    List<Finding> read(ResultSet rows) throws SQLException {
        String standbys = rows.getString("standbys");
        return List.of(
                synchronousCommit(rows.getString("synchronous_commit"), !standbys.isEmpty()),
                fsync(rows.getString("fsync"), rows.getString("full_page_writes")),
                unlogged(rows.getString("not_logged")),
                recovery(rows.getBoolean("in_recovery"), rows.getString("read_only")),
                replication(rows.getLong("replicas"), standbys));
    }

    /** Judges the effective value: the one of the server, the database or the role. */
    private static Finding synchronousCommit(String value, boolean hasStandby) {
        if (value.equals("off") || (value.equals("local") && hasStandby)) {
            return new Finding(
                    "postgres.synchronous_commit",
                    Level.WARN,
                    "synchronous_commit is " + value + "; grants and extensions raise it to on for themselves, other"
                            + " clients of the same tables may not",
                    "set synchronous_commit to on for this role or database");
        }
        if (value.equals("remote_write") && hasStandby) {
            return new Finding(
                    "postgres.synchronous_commit",
                    Level.WARN,
                    "synchronous_commit is remote_write: if primary and standby crash together, the last grants and"
                            + " fences may be lost",
                    "set synchronous_commit to on for this role or database");
        }
        return ok("postgres.synchronous_commit", "synchronous_commit is " + value);
    }

    private Finding fsync(String fsync, String fullPageWrites) {
        if (fsync.equals("on") && fullPageWrites.equals("on")) {
            return ok("postgres.fsync", "fsync and full_page_writes are on");
        }
        return new Finding(
                "postgres.fsync",
                fenceMode == FenceMode.COUNTER ? Level.DANGER : Level.WARN,
                "fsync is " + fsync + ", full_page_writes is " + fullPageWrites
                        + ": a crash of the machine can lose or damage locks and fence counters",
                "set both to on");
    }

    private Finding unlogged(@Nullable String tables) {
        return tables == null
                ? ok("postgres.unlogged", "both tables are logged")
                : new Finding(
                        "postgres.unlogged",
                        Level.DANGER,
                        "not logged, so emptied by every crash: " + tables,
                        Stream.of(tables.split(", ", -1))
                                .map(table -> "ALTER TABLE " + names.quoted(table) + " SET LOGGED")
                                .collect(Collectors.joining("; ")));
    }

    private static Finding recovery(boolean inRecovery, String readOnly) {
        return !inRecovery && readOnly.equals("off")
                ? ok("postgres.recovery", "the server takes writes")
                : new Finding(
                        "postgres.recovery",
                        Level.DANGER,
                        inRecovery ? "the server is a standby: nothing can be locked" : "the session is read-only",
                        "connect to the primary (targetServerType=primary), with default_transaction_read_only off");
    }

    private Finding replication(long replicas, String standbys) {
        if (replicas == 0 || !standbys.isEmpty()) {
            return ok("postgres.replication", replicas + " replicas, synchronous: '" + standbys + "'");
        }
        boolean isCounter = fenceMode == FenceMode.COUNTER;
        return new Finding(
                "postgres.replication",
                Level.WARN,
                "replicas are asynchronous: a failover can lose the last grants" + (isCounter ? " and fences" : ""),
                "set synchronous_standby_names"
                        + (isCounter ? "; FenceMode.TIME_FLOORED keeps at least the fences" : ""));
    }

    static Finding ok(String id, String message) {
        return new Finding(id, Level.OK, message, "");
    }
}
