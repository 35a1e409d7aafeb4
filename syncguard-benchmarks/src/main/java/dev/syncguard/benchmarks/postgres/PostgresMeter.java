package dev.syncguard.benchmarks.postgres;

import dev.syncguard.benchmarks.harness.Meter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What the server's processes use and what its log says. */
final class PostgresMeter implements Meter, AutoCloseable {

    /** A setting reaches sessions that are idle a moment after it was made. */
    private static final long RELOAD_MILLIS = 100;

    private static final Pattern STATEMENT = Pattern.compile("LOG:  (?:execute |statement: )");

    private final Connection connection;
    private final ProcessHandle postmaster;
    /** Sessions that have ended keep their share. */
    private final Map<Long, Duration> cpu = new HashMap<>();

    PostgresMeter(String url) throws SQLException {
        connection = DriverManager.getConnection(url);
        execute("SET log_statement = 'none'");
        String pid = text("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
        postmaster = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
    }

    @Override
    public synchronized double cpuMicros() {
        postmaster
                .children()
                .forEach(session -> session.info().totalCpuDuration().ifPresent(used -> cpu.put(session.pid(), used)));
        return cpu.values().stream().mapToLong(Duration::toNanos).sum() / 1e3;
    }

    /** Counts statements in the log, those of transactions and sessions (BEGIN, COMMIT, SET, SHOW) included. */
    @Override
    public double commands(Action action) throws Exception {
        long from = Long.parseLong(text("SELECT size FROM pg_stat_file('server.log')"));
        log("all");
        try {
            action.run();
        } finally {
            log("none");
        }
        String log = text("SELECT encode(pg_read_binary_file('server.log', " + from + ", 1000000000), 'escape')");
        return STATEMENT.matcher(log).results().count();
    }

    private void log(String which) throws Exception {
        execute("ALTER SYSTEM SET log_statement = '" + which + "'");
        text("SELECT pg_reload_conf()");
        TimeUnit.MILLISECONDS.sleep(RELOAD_MILLIS);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
