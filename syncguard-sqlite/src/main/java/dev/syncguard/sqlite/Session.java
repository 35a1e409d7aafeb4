package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.sqlite.SqliteErrors.Phase;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/** One connection with its prepared statements, used by one thread at a time. */
final class Session implements AutoCloseable {

    private final DatabaseFile.Identity file;
    private final LogFiles found;
    private final SQLiteConnection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private Phase phase = Phase.WORKING;
    private boolean hasLabels;
    private @Nullable OpenFiles files;
    private boolean isTrapped;

    private Session(DatabaseFile.Identity file, LogFiles found, SQLiteConnection connection) {
        this.file = file;
        this.found = found;
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

    /** Connects, if that can be done; {@link #begin} before the first use. Only {@link Opening} knows when to. */
    static @Nullable Session open(DatabaseFile.Identity file, TimeLimit limit) throws SQLException {
        AbandonedSessions.refuse(file);
        SideFiles.requireTrusted(file);
        JvmClaims.claim(file);
        boolean opened = false;
        try {
            LogFiles found = LogFiles.ifIntact(file);
            if (found == null) {
                return null;
            }
            Session session = new Session(file, found, Connections.connect(file, limit.leftMillis()));
            opened = true;
            return session;
        } finally {
            if (!opened) {
                JvmClaims.release(file);
            }
        }
    }

    /** Remembers which files it has open, now that SQLite has them all, and none of them by a trick. */
    void begin() {
        isTrapped = true;
        SideFiles.requireTrusted(file);
        isTrapped = false;
        files = OpenFiles.of(file);
    }

    /** The log and the shared memory that were there before this session was opened. */
    LogFiles found() {
        return found;
    }

    OpenFiles.State state() {
        return files == null ? OpenFiles.State.CURRENT : files.state();
    }

    private void requireCurrent(boolean outcomeUnknown) {
        OpenFiles.State state = state();
        if (state != OpenFiles.State.CURRENT) {
            throw new LockException(Code.SERVICE_UNAVAILABLE, state.message, null, outcomeUnknown);
        }
    }

    DatabaseFile.Identity file() {
        return file;
    }

    /** Whether the file has a place for labels. */
    boolean hasLabels() {
        return hasLabels;
    }

    void hasLabels(boolean found) {
        hasLabels = found;
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

    /**
     * Runs a transaction that has the file's write lock from its first moment. Its result counts only if the files are
     * those of everybody else, before (waiting for the write lock may take long) and after.
     */
    <T> T transaction(Work<T> work) throws SQLException {
        run("BEGIN IMMEDIATE");
        boolean committed = false;
        try {
            requireCurrent(false);
            T result = work.in(this);
            phase = Phase.COMMITTING;
            run("COMMIT");
            phase = Phase.WORKING;
            committed = true;
            requireCurrent(true);
            return result;
        } finally {
            if (!committed && phase == Phase.WORKING) {
                run("ROLLBACK");
            }
        }
    }

    /** Closes, unless that would do harm; an open transaction is rolled back by that. */
    @Override
    public void close() {
        OpenFiles.State state = state();
        if (isTrapped || state == OpenFiles.State.OVERTAKEN) {
            AbandonedSessions.keep(this);
            return;
        }
        if (state == OpenFiles.State.REMOVED) {
            saveLog();
        }
        try {
            connection.close();
        } catch (SQLException e) {
            // Nothing was promised that is not on the disk already.
        }
        JvmClaims.release(file);
    }

    /**
     * Writes the log into the lock file: one that no process will find again, because the last session to close does not
     * know that it is the last while another process looks whether the file is in use ({@link LogFiles}); or one that
     * filled the disk, so that the next writer begins it again.
     */
    void saveLog() {
        if (phase == Phase.COMMITTING) {
            attempt("ROLLBACK");
        }
        attempt("PRAGMA wal_checkpoint(PASSIVE)");
    }

    private void attempt(String sql) {
        try {
            run(sql);
        } catch (SQLException e) {
            // There was nothing to do, or the next session to close tries again.
        }
    }
}
