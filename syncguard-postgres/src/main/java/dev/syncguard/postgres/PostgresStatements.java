package dev.syncguard.postgres;

import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.postgres.PostgresStatement.Effect;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StoredLock;
import java.util.HashMap;
import java.util.Map;

/** The statements of one backend. */
final class PostgresStatements {

    /** Unlike now(), which stands still while a statement waits, this is the time at which it is read. */
    static final String NOW = "pg_catalog.floor(extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint";

    /**
     * Only if it was said for this lock id: a client that does not know of labels leaves that of an earlier holder behind. As
     * JSON, because the table may have no such columns.
     */
    private static final String LABEL_OF_HOLDER =
            "CASE WHEN pg_catalog.to_jsonb(stored) ->> 'label_lock_id' = stored.lock_id THEN pg_catalog.left(pg_catalog.to_jsonb(stored) ->> 'label', "
                    + StoredLock.LONGEST_LABEL + ") END";

    final PostgresStatement acquire;
    final PostgresStatement acquireLabelled;
    final PostgresStatement release;
    final PostgresStatement extend;
    final PostgresStatement findByKey;
    final PostgresStatement findById;
    final PostgresStatement counter;
    final PostgresStatement raise;
    final PostgresStatement list;
    final PostgresStatement deleteExpired;

    PostgresStatements(PostgresNames names, PostgresChannel channel, FenceMode fenceMode, boolean besideOthers) {
        Map<String, String> constants = Map.ofEntries(
                Map.entry("locks", names.quotedLocks()),
                Map.entry("counters", names.quotedCounters()),
                Map.entry("now", NOW),
                Map.entry("tolerance", Long.toString(Liveness.TIME_TOLERANCE_MS)),
                Map.entry("max", Long.toString(Fence.MAX.value())),
                Map.entry("floor", fenceMode == FenceMode.TIME_FLOORED ? timeFloor() : "0"),
                Map.entry("settings", settings()),
                // Other clients take it around their read and their unconditional write (see the README).
                Map.entry(
                        "advisory_lock",
                        besideOthers
                                ? "pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext({key}))::text IS NOT NULL"
                                : "true"),
                Map.entry("seed", "'" + channel.seed() + "'::bigint"),
                Map.entry("channel", "'" + channel.name() + "'"),
                Map.entry("label_of_holder", LABEL_OF_HOLDER));
        acquire = PostgresStatement.load("acquire.sql", with(constants, "", "", ""), Effect.PROMISES);
        acquireLabelled = PostgresStatement.load(
                "acquire.sql",
                with(
                        constants,
                        ", label, label_lock_id",
                        ", {label}, {lock_id}",
                        ", label = excluded.label, label_lock_id = excluded.label_lock_id"),
                Effect.PROMISES);
        release = PostgresStatement.load("release.sql", constants, Effect.WRITES);
        extend = PostgresStatement.load("extend.sql", constants, Effect.PROMISES);
        findByKey = PostgresStatement.load("find-by-key.sql", constants, Effect.READS);
        findById = PostgresStatement.load("find-by-id.sql", constants, Effect.READS);
        counter = PostgresStatement.load("counter.sql", constants, Effect.READS);
        raise = PostgresStatement.load("raise.sql", constants, Effect.PROMISES);
        list = PostgresStatement.load("list.sql", constants, Effect.READS);
        deleteExpired = PostgresStatement.load("delete-expired.sql", constants, Effect.WRITES);
    }

    /** An attempt without a label has nothing to do with labels: what an earlier holder left is not shown. */
    private static Map<String, String> with(
            Map<String, String> constants, String columns, String values, String changes) {
        Map<String, String> all = new HashMap<>(constants);
        all.put("label_columns", columns);
        all.put("label_values", values);
        all.put("label_changes", changes);
        return all;
    }

    /** The time, unless it is so high that it would use up the counter. */
    private static String timeFloor() {
        return "CASE WHEN " + NOW + " <= " + Fence.WARN.value() + " THEN " + NOW + " ELSE 0 END";
    }

    /**
     * Settings of the statement's own transaction; true. The warning that a commit did not reach the standby must arrive,
     * and no database or role may have switched off that commits wait for the disk or the standby; higher values stay.
     */
    private static String settings() {
        return "(pg_catalog.set_config('lock_timeout', {lock_timeout}, true) <> ''"
                + " AND pg_catalog.set_config('client_min_messages', 'warning', true) <> ''"
                + " AND CASE WHEN pg_catalog.current_setting('synchronous_commit') IN ('off', 'local')"
                + " THEN pg_catalog.set_config('synchronous_commit', 'on', true) <> '' ELSE true END)";
    }
}
