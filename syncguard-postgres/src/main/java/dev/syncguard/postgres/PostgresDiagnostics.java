package dev.syncguard.postgres;

import static dev.syncguard.postgres.SettingFindings.ok;

import dev.syncguard.AbortSignal;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.postgres.PostgresStatement.Effect;
import dev.syncguard.spi.StoreDiagnostics;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Looks for settings of the database that break what a lock promises, and for what makes it slow. */
final class PostgresDiagnostics implements StoreDiagnostics {

    private static final long CLOCK_LIMIT_MS = 500;
    private static final long MANY_DEAD_ROWS = 20_000;
    private static final Duration LONG_TRANSACTION = Duration.ofMinutes(1);

    private final PostgresConnections connections;
    private final PostgresNames names;
    private final long longTransactionSeconds;
    private final SettingFindings settingFindings;
    private final TableFindings tableFindings;
    private final PostgresStatement settings;
    private final PostgresStatement counters;
    private final PostgresStatement health;
    private volatile @Nullable ClockSample firstSample;

    PostgresDiagnostics(PostgresConnections connections, PostgresLockBackendBuilder builder) {
        this(connections, builder, LONG_TRANSACTION);
    }

    PostgresDiagnostics(PostgresConnections connections, PostgresLockBackendBuilder builder, Duration longTransaction) {
        this.connections = connections;
        this.names = builder.names;
        this.longTransactionSeconds = longTransaction.toSeconds();
        this.settingFindings = new SettingFindings(builder.fenceMode, builder.names);
        this.tableFindings = new TableFindings(names, builder.noOtherLibrary);
        Map<String, String> constants = Map.of("now", PostgresStatements.NOW, "counters", names.quotedCounters());
        settings = PostgresStatement.load("settings.sql", constants, Effect.READS);
        counters = PostgresStatement.load("counters.sql", constants, Effect.READS);
        health = PostgresStatement.load("health.sql", constants, Effect.READS);
    }

    private record ClockSample(long serverMs, long localMs, long nanos) {}

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        Map<String, Object> tables = PostgresSchema.arguments(names);
        List<Finding> findings = new ArrayList<>(connections.query(settings, tables, signal, this::settings));
        findings.addAll(tableFindings.schema(PostgresSchema.lookAt(connections, names, signal)));
        findings.add(pool());
        findings.addAll(counters(signal));
        Map<String, Object> limited = new HashMap<>(tables);
        limited.put("dead_limit", MANY_DEAD_ROWS);
        findings.addAll(connections.query(health, limited, signal, this::health));
        return List.copyOf(findings);
    }

    private List<Finding> settings(ResultSet rows) throws SQLException {
        rows.next();
        List<Finding> findings = new ArrayList<>(settingFindings.read(rows));
        findings.add(clock(rows.getLong("now_ms")));
        return findings;
    }

    private List<Finding> health(ResultSet rows) throws SQLException {
        rows.next();
        return List.of(
                TableFindings.transactions(rows.getLong("oldest_seconds"), longTransactionSeconds),
                TableFindings.deadRows(rows.getString("bloated")));
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

    private Finding pool() {
        if (ServerAddress.isDriver(connections.dataSource())) {
            return ok("postgres.pool", "no pool: each operation opens a connection of its own");
        }
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

    private List<Finding> counters(AbortSignal signal) {
        try {
            Map<String, Object> limit = Map.of("limit", TableFindings.MANY_COUNTERS);
            return connections.query(counters, limit, signal, tableFindings::counters);
        } catch (LockException e) {
            return List.of(
                    new Finding("postgres.counters", Level.UNKNOWN, "the counters could not be counted", ""),
                    new Finding("postgres.clients", Level.UNKNOWN, "the counters could not be read", ""));
        }
    }
}
