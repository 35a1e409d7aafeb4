package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.sqlite.SqliteErrors.Phase;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.SQLiteOpenMode;

/** One connection with its prepared statements, used by one thread at a time. */
final class Session implements AutoCloseable {

    private static volatile boolean driverLoaded;

    private final DatabaseFile.Identity file;
    private final SQLiteConnection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private Phase phase = Phase.WORKING;

    private Session(DatabaseFile.Identity file, SQLiteConnection connection) {
        this.file = file;
        this.connection = connection;
    }

    /** Reads the rows of a query. */
    @FunctionalInterface
    interface Answer<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Something to do in this session. */
    @FunctionalInterface
    interface Work<T> {
        T in(Session session) throws SQLException;
    }

    /** The driver unpacks a library on first use; on a slow machine that takes longer than an operation may. */
    static void loadDriver() {
        if (driverLoaded) {
            return;
        }
        try {
            SQLiteJDBCLoader.initialize();
            driverLoaded = true;
        } catch (Exception e) {
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "the SQLite library cannot be loaded; look at the temporary folder, or set org.sqlite.lib.path",
                    e);
        }
    }

    static Session open(DatabaseFile.Identity file, int busyMillis) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        // The file is there, with the right permissions; if it vanished meanwhile, SQLite must not make another.
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(busyMillis);
        // As a URI, because the driver takes what follows a question mark in a plain path for settings.
        String url = "jdbc:sqlite:" + file.path().toUri();
        return new Session(file, (SQLiteConnection) config.createConnection(url));
    }

    DatabaseFile.Identity file() {
        return file;
    }

    /** Where the last statement failed. */
    Phase phase() {
        return phase;
    }

    void waitAtMost(int millis) throws SQLException {
        connection.setBusyTimeout(millis);
    }

    <T> T query(String sql, Answer<T> answer, Object... values) throws SQLException {
        PreparedStatement statement = prepare(sql, values);
        try (ResultSet rows = statement.executeQuery()) {
            return answer.read(rows);
        }
    }

    void run(String sql, Object... values) throws SQLException {
        prepare(sql, values).execute();
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Long number) {
                statement.setLong(i + 1, number);
            } else {
                statement.setString(i + 1, (String) values[i]);
            }
        }
        return statement;
    }

    /** Runs a transaction that has the file's write lock from its first moment. */
    <T> T transaction(Work<T> work) throws SQLException {
        run("BEGIN IMMEDIATE");
        boolean committed = false;
        try {
            T result = work.in(this);
            phase = Phase.COMMITTING;
            run("COMMIT");
            phase = Phase.WORKING;
            committed = true;
            return result;
        } finally {
            if (!committed && phase == Phase.WORKING) {
                run("ROLLBACK");
            }
        }
    }

    /** Closes; an open transaction is rolled back by that. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // Nothing was promised that is not on the disk already.
        }
    }
}
