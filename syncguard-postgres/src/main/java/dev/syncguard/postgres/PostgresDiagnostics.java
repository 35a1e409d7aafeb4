package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.StoreDiagnostics;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Looks for settings of the database that break what a lock promises. */
final class PostgresDiagnostics implements StoreDiagnostics {

    private static final long MANY_COUNTERS = 1_000_000;
    private static final long CLOCK_LIMIT_MS = 500;

    private final PostgresConnections connections;
    private final PostgresNames names;
    private final FenceMode fenceMode;
    private final PostgresStatement settings;
    private final PostgresStatement counters;
    private volatile @Nullable ClockSample firstSample;

    PostgresDiagnostics(PostgresConnections connections, PostgresNames names, FenceMode fenceMode) {
        this.connections = connections;
        this.names = names;
        this.fenceMode = fenceMode;
        Map<String, String> constants = Map.of("now", PostgresStatements.NOW, "counters", names.quotedCounters());
        settings = PostgresStatement.load("settings.sql", constants, false);
        counters = PostgresStatement.load("counters.sql", constants, false);
    }

    private record ClockSample(long serverMs, long localMs, long nanos) {}

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        List<Finding> findings =
                new ArrayList<>(connections.query(settings, PostgresSchema.arguments(names), signal, this::settings));
        findings.add(schema(signal));
        findings.add(pool());
        findings.add(counters(signal));
        return List.copyOf(findings);
    }

    private List<Finding> settings(ResultSet rows) throws SQLException {
        rows.next();
        return List.of(
                synchronousCommit(rows.getString("synchronous_commit")),
                fsync(rows.getString("fsync"), rows.getString("full_page_writes")),
                unlogged(rows.getString("not_logged")),
                recovery(rows.getBoolean("in_recovery"), rows.getString("read_only")),
                replication(rows.getLong("replicas"), rows.getString("standbys")),
                clock(rows.getLong("now_ms")));
    }

    private static Finding synchronousCommit(String value) {
        return value.equals("off")
                ? new Finding(
                        "postgres.synchronous_commit",
                        Level.WARN,
                        "synchronous_commit is off; grants and extensions raise it to on for themselves, other clients"
                                + " of the same tables may not",
                        "set synchronous_commit to on for this role or database")
                : ok("postgres.synchronous_commit", "synchronous_commit is " + value);
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

    private static Finding unlogged(@Nullable String tables) {
        return tables == null
                ? ok("postgres.unlogged", "both tables are logged")
                : new Finding(
                        "postgres.unlogged",
                        Level.DANGER,
                        "not logged, so emptied by every crash: " + tables,
                        "ALTER TABLE … SET LOGGED");
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

    private static Finding replication(long replicas, String standbys) {
        return replicas == 0 || !standbys.isEmpty()
                ? ok("postgres.replication", replicas + " replicas, synchronous: '" + standbys + "'")
                : new Finding(
                        "postgres.replication",
                        Level.WARN,
                        "replicas are asynchronous: a failover can lose the last grants and fences",
                        "set synchronous_standby_names, or use FenceMode.TIME_FLOORED");
    }

    /** Only jumps of the server's clock are harmful; a difference to the local one just makes end times hard to read. */
    private Finding clock(long serverMs) {
        ClockSample sample = new ClockSample(serverMs, System.currentTimeMillis(), System.nanoTime());
        ClockSample first = firstSample;
        if (first == null) {
            firstSample = sample;
            first = sample;
        }
        long jumpMs = (serverMs - first.serverMs) - (sample.nanos - first.nanos) / 1_000_000;
        long differenceMs = serverMs - sample.localMs;
        String message = "the server's clock differs from the local one by about " + differenceMs
                + " ms, and has moved by " + jumpMs + " ms against the monotonic clock since the first look";
        boolean steady = Math.abs(jumpMs) <= CLOCK_LIMIT_MS && Math.abs(differenceMs) <= CLOCK_LIMIT_MS;
        return steady
                ? ok("postgres.clock", message)
                : new Finding("postgres.clock", Level.WARN, message, "let the server's clock slew, never step");
    }

    private Finding schema(AbortSignal signal) {
        List<String> missing = PostgresSchema.missing(connections, names, signal);
        if (missing.isEmpty()) {
            return ok("postgres.index", "tables, columns and indexes are complete");
        }
        boolean onlySlow = missing.stream().allMatch(entry -> entry.startsWith("index "));
        return new Finding(
                "postgres.index",
                onlySlow ? Level.WARN : Level.DANGER,
                "missing: " + String.join(", ", missing),
                "run PostgresSchema.create or schema.sql");
    }

    private Finding pool() {
        OptionalInt size = PoolSize.of(connections.dataSource());
        if (size.isEmpty()) {
            return new Finding("postgres.pool", Level.UNKNOWN, "the size of the pool is not known", "");
        }
        return size.getAsInt() >= PoolSize.ENOUGH
                ? ok("postgres.pool", "the pool has up to " + size.getAsInt() + " connections")
                : new Finding(
                        "postgres.pool",
                        Level.WARN,
                        "the pool has only " + size.getAsInt() + " connections, so renewals queue behind acquires and"
                                + " waiters poll unless listenOn(…) is given",
                        "let it have at least " + PoolSize.ENOUGH);
    }

    private Finding counters(AbortSignal signal) {
        try {
            long count = connections.query(counters, Map.of("limit", MANY_COUNTERS), signal, rows -> {
                rows.next();
                return rows.getLong("counters");
            });
            return count < MANY_COUNTERS
                    ? ok("postgres.counters", count + " fence counters")
                    : new Finding(
                            "postgres.counters",
                            Level.WARN,
                            "a million fence counters or more; they are never deleted",
                            "use fewer different keys");
        } catch (LockException e) {
            return new Finding("postgres.counters", Level.UNKNOWN, "the counters could not be counted", "");
        }
    }

    private static Finding ok(String id, String message) {
        return new Finding(id, Level.OK, message, "");
    }
}
