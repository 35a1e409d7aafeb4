package dev.syncguard.postgres;

import dev.syncguard.Fence;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.Liveness;
import java.util.Map;

/** The statements of one backend. */
final class PostgresStatements {

    /** Unlike now(), which stands still while a statement waits, this is the time at which it is read. */
    static final String NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    final PostgresStatement acquire;
    final PostgresStatement release;
    final PostgresStatement extend;
    final PostgresStatement findByKey;
    final PostgresStatement findById;
    final PostgresStatement counter;
    final PostgresStatement raise;
    final PostgresStatement list;
    final PostgresStatement deleteExpired;

    PostgresStatements(PostgresNames names, PostgresChannel channel, FenceMode fenceMode, boolean mixedFleet) {
        Map<String, String> constants = Map.ofEntries(
                Map.entry("locks", names.quotedLocks()),
                Map.entry("counters", names.quotedCounters()),
                Map.entry("now", NOW),
                Map.entry("tolerance", Long.toString(Liveness.TIME_TOLERANCE_MS)),
                Map.entry("max", Long.toString(Fence.MAX.value())),
                Map.entry("floor", fenceMode == FenceMode.TIME_FLOORED ? timeFloor() : "0"),
                Map.entry(
                        "settings", "(set_config('lock_timeout', {lock_timeout}, true) <> '' AND " + atLeastOn() + ")"),
                // Taken by the TypeScript library around its read and its unconditional write (see the README).
                Map.entry(
                        "advisory_lock",
                        mixedFleet ? "pg_advisory_xact_lock(hashtext({key}))::text IS NOT NULL" : "true"),
                Map.entry("seed", "'" + channel.seed() + "'::bigint"),
                Map.entry("channel", "'" + channel.name() + "'"));
        acquire = PostgresStatement.load("acquire.sql", constants, true);
        release = PostgresStatement.load("release.sql", constants, true);
        extend = PostgresStatement.load("extend.sql", constants, true);
        findByKey = PostgresStatement.load("find-by-key.sql", constants, false);
        findById = PostgresStatement.load("find-by-id.sql", constants, false);
        counter = PostgresStatement.load("counter.sql", constants, false);
        raise = PostgresStatement.load("raise.sql", constants, true);
        list = PostgresStatement.load("list.sql", constants, false);
        deleteExpired = PostgresStatement.load("delete-expired.sql", constants, true);
    }

    /** The time, unless it is so high that it would use up the counter. */
    private static String timeFloor() {
        return "CASE WHEN " + NOW + " <= " + Fence.WARN.value() + " THEN " + NOW + " ELSE 0 END";
    }

    /** A database with synchronous_commit = off would forget grants in a crash: raised to on, other values stay. */
    private static String atLeastOn() {
        return "CASE WHEN current_setting('synchronous_commit') = 'off'"
                + " THEN set_config('synchronous_commit', 'on', true) <> '' ELSE true END";
    }
}
