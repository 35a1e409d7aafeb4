package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.postgres.PostgresErrors.Phase;
import dev.syncguard.postgres.PostgresStatement.Effect;
import dev.syncguard.spi.support.InterruptShield;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * Runs statements, each on a borrowed connection, and bounds how long that takes, the wait for the connection included.
 *
 * <p>Three limits, so that the definite answers come first: waiting for a row ends at the server after half of the time
 * that is left, the whole statement is cancelled after 3/4, and the socket gives up after all of it. Only the last one
 * leaves the outcome unknown. No setting outlives its statement, so a transaction pooler may stand in between.
 */
final class PostgresConnections implements AutoCloseable {

    /** How often a statement is sent, time permitting: each conflict means that another one got through. */
    private static final int ATTEMPTS = 50;

    private static final long MILLI = 1_000_000;

    private final DataSource dataSource;
    private final Duration commandTimeout;
    private final OperationWatch watch = new OperationWatch();
    private final ConnectionWait wait;
    private volatile boolean checked;
    private volatile boolean behindPooler;

    PostgresConnections(DataSource dataSource, Duration commandTimeout) {
        this.dataSource = dataSource;
        this.wait = new ConnectionWait(dataSource);
        this.commandTimeout = commandTimeout;
    }

    DataSource dataSource() {
        return dataSource;
    }

    Duration commandTimeout() {
        return commandTimeout;
    }

    /** Reads what a statement answered; null if it lost a race and is to be sent again. */
    @FunctionalInterface
    interface Answer<T> {
        @Nullable
        T read(ResultSet rows) throws SQLException;
    }

    /** Returns when an operation that begins now has to end, by {@link System#nanoTime()}. */
    long deadline() {
        return System.nanoTime() + commandTimeout.toNanos();
    }

    /** Runs a statement that loses no races. */
    <T> T query(PostgresStatement statement, Map<String, Object> values, AbortSignal signal, Answer<T> answer) {
        return query(deadline(), statement, values, signal, answer);
    }

    <T> T query(
            long deadline,
            PostgresStatement statement,
            Map<String, Object> values,
            AbortSignal signal,
            Answer<T> answer) {
        T result = race(deadline, statement, values, signal, answer);
        if (result == null) {
            throw new IllegalStateException("no answer");
        }
        return result;
    }

    /** Runs a statement; null if it lost one race after the other. */
    <T> @Nullable T race(
            long deadline,
            PostgresStatement statement,
            Map<String, Object> values,
            AbortSignal signal,
            Answer<T> answer) {
        signal.throwIfAborted();
        try (InterruptShield shield = new InterruptShield()) {
            while (true) {
                try (WatchedOperation operation = watch.begin(deadline);
                        BorrowedConnection connection = BorrowedConnection.from(dataSource, wait, operation)) {
                    return repeat(operation, connection, statement, values, answer);
                } catch (LockException e) {
                    // Pools give up waiting when interrupted; a release must not.
                    if (e.outcomeUnknown() || !shield.interrupted() || System.nanoTime() - deadline >= 0) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Borrows a connection for longer than an operation. */
    BorrowedConnection borrow(DataSource source) {
        try (WatchedOperation operation = watch.begin(deadline())) {
            BorrowedConnection connection = BorrowedConnection.from(source, wait, operation);
            operation.release();
            return connection;
        }
    }

    private <T> @Nullable T repeat(
            WatchedOperation operation,
            BorrowedConnection connection,
            PostgresStatement statement,
            Map<String, Object> values,
            Answer<T> answer) {
        Phase phase = statement.effect() == Effect.READS ? Phase.READING : Phase.WRITING;
        lookForPooler(operation, connection);
        boolean named = !behindPooler;
        for (int attempt = 1; ; attempt++) {
            long left = operation.leftNanos();
            boolean last = attempt == ATTEMPTS || left < commandTimeout.toNanos() / 2;
            try {
                connection.limit(left / MILLI);
                T result = send(operation, connection, statement, values, named, answer);
                if (result != null || last) {
                    return result;
                }
            } catch (SQLException e) {
                if (operation.isAborted()) {
                    throw PostgresErrors.aborted(e, phase);
                }
                if (last || !PostgresErrors.isRepeatable(e)) {
                    throw PostgresErrors.translate(e, phase);
                }
                named &= !PostgresErrors.isLostStatement(e);
            }
        }
    }

    /**
     * Once, before the driver gives a statement a name: a transaction pooler may send the name to a session where it
     * stands for somebody else's statement. Behind a pooler the session's process id is not the one we connected to.
     */
    private void lookForPooler(WatchedOperation operation, BorrowedConnection connection) {
        if (checked) {
            return;
        }
        try {
            long left = operation.leftNanos();
            connection.limit(left / MILLI);
            operation.running(left / 4 * 3);
            behindPooler = !connection.isDirect();
            checked = true;
        } catch (SQLException e) {
            throw operation.isAborted()
                    ? PostgresErrors.aborted(e, Phase.READING)
                    : PostgresErrors.translate(e, Phase.READING);
        } finally {
            operation.answered();
        }
    }

    private static <T> @Nullable T send(
            WatchedOperation operation,
            BorrowedConnection connection,
            PostgresStatement statement,
            Map<String, Object> values,
            boolean named,
            Answer<T> answer)
            throws SQLException {
        long left = Math.max(MILLI, operation.leftNanos());
        Map<String, Object> all = new HashMap<>(values);
        all.put("lock_timeout", Long.toString(Math.max(1, left / MILLI / 2)));
        try (PreparedStatement query = connection.get().prepareStatement(statement.sql())) {
            if (!named && query.isWrapperFor(PGStatement.class)) {
                query.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
            statement.bind(query, all);
            operation.running(left / 4 * 3);
            try (ResultSet rows = query.executeQuery()) {
                if (statement.effect() == Effect.PROMISES) {
                    CommitWarnings.check(query);
                }
                return answer.read(rows);
            } finally {
                operation.answered();
            }
        }
    }

    /** Ends the threads; the DataSource stays open. */
    @Override
    public void close() {
        watch.close();
        wait.close();
    }
}
