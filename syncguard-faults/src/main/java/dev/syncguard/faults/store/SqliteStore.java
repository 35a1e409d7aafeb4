package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One SQLite file on a local disk. There is no network; the clients are stopped and killed in the midst of writing. */
public final class SqliteStore implements TestStore {

    private static final int TRIES = 50;

    private final Path file;

    /** Chooses a file in a directory of its own. */
    public SqliteStore() {
        try {
            // Memory, if there is a file system of it: what a crash of processes can lose does not depend on the disk.
            Path memory = Path.of("/dev/shm");
            Path directory = Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "sqlite-")
                    : Files.createTempDirectory("sqlite-");
            file = directory.resolve("locks.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String url(int client) {
        return "sqlite:" + file;
    }

    @Override
    public List<Fault> faults(FenceMode mode) {
        List<Fault> faults = new ArrayList<>(List.of(
                Fault.of("writer-stall", strike -> transaction(strike, "BEGIN IMMEDIATE", 20, 300)),
                Fault.of("exclusive-stall", strike -> transaction(strike, "BEGIN EXCLUSIVE", 20, 200)),
                Fault.of("reader-stall", strike -> transaction(strike, "BEGIN", 200, 1500)),
                Fault.of("checkpoint", strike -> statement(strike, "PRAGMA wal_checkpoint(TRUNCATE)")),
                Fault.of("vacuum", strike -> statement(strike, "VACUUM")),
                Fault.of("reindex", strike -> statement(strike, "REINDEX")),
                Fault.of("rolled-back", this::rolledBack)));
        if (mode == FenceMode.TIME_FLOORED) {
            faults.add(Fault.of("rows-deleted", RedisDataLoss.EXCUSES, this::deleted));
        }
        return faults;
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 5000");
        }
        return connection;
    }

    private void run(String... sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            for (String one : sql) {
                statement.execute(one);
            }
        }
    }

    private void transaction(Strike strike, String begin, int least, int most) throws SQLException {
        strike.begin("file");
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.execute(begin);
            statement.executeQuery("SELECT count(*) FROM syncguard_locks").close();
            strike.last(least, most);
            statement.execute("ROLLBACK");
        }
    }

    /** Busy clients may keep it out; then it does not happen. */
    private void statement(Strike strike, String sql) {
        strike.begin("file");
        try {
            run(sql);
        } catch (SQLException e) {
            strike.last(1, 5);
        }
    }

    /** Another program changes everything, and takes it back. */
    private void rolledBack(Strike strike) throws SQLException {
        strike.begin("file");
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("DELETE FROM syncguard_locks");
            statement.execute("UPDATE syncguard_fence_counters SET fence = 1");
            strike.last(10, 200);
            statement.execute("ROLLBACK");
        }
    }

    private void deleted(Strike strike) throws SQLException {
        strike.begin("file");
        run("BEGIN IMMEDIATE", "DELETE FROM syncguard_locks", "DELETE FROM syncguard_fence_counters", "COMMIT");
    }

    /** Everybody waits for one writer. */
    @Override
    public Duration commandTimeout() {
        return Duration.ofMillis(1500);
    }

    @Override
    public void heal() {}

    @Override
    public Leftovers leftovers() {
        for (int i = 1; true; i++) {
            try {
                return SqlContents.of(this::open);
            } catch (IllegalStateException e) {
                if (i == TRIES) {
                    throw e;
                }
                Pause.millis(20);
            }
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(file.getParent())) {
            for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
