package dev.syncguard.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.postgres.PostgresErrors.Phase;
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
 * Runs statements, each on a borrowed connection, and bounds how long that takes.
 *
 * <p>Three limits, so that the definite answers come first: waiting for a row ends at the server after half of the command
 * timeout, the whole statement is cancelled after 3/4, and the socket gives up after all of it. Only the last one leaves
 * the outcome unknown. No setting outlives its statement, so a transaction pooler may stand in between.
 */
final class PostgresConnections {

    /** How often a statement is sent, time permitting: each conflict means that another one got through. */
    private static final int ATTEMPTS = 50;

    private static final long MILLI = 1_000_000;

    private final DataSource dataSource;
    private final Duration commandTimeout;
    private volatile boolean checked;
    private volatile boolean behindPooler;

    PostgresConnections(DataSource dataSource, Duration commandTimeout) {
        this.dataSource = dataSource;
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

    /** Runs a statement that loses no races. */
    <T> T query(PostgresStatement statement, Map<String, Object> values, AbortSignal signal, Answer<T> answer) {
        T result = race(statement, values, signal, answer);
        if (result == null) {
            throw new IllegalStateException("no answer");
        }
        return result;
    }

    /** Runs a statement; null if it lost one race after the other. */
    <T> @Nullable T race(
            PostgresStatement statement, Map<String, Object> values, AbortSignal signal, Answer<T> answer) {
        signal.throwIfAborted();
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try (BorrowedConnection connection = BorrowedConnection.from(dataSource)) {
                    return repeat(connection, statement, values, answer);
                } catch (LockException e) {
                    // Pools give up waiting when interrupted; a release must not.
                    if (e.outcomeUnknown() || !Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> @Nullable T repeat(
            BorrowedConnection connection, PostgresStatement statement, Map<String, Object> values, Answer<T> answer) {
        lookForPooler(connection);
        long start = System.nanoTime();
        boolean named = !behindPooler;
        for (int attempt = 1; ; attempt++) {
            long left = commandTimeout.toNanos() - (System.nanoTime() - start);
            boolean last = attempt == ATTEMPTS || left < commandTimeout.toNanos() / 2;
            try {
                connection.limit(left / MILLI);
                T result = send(connection, statement, values, left / MILLI, named, answer);
                if (result != null || last) {
                    return result;
                }
            } catch (SQLException e) {
                if (last || !PostgresErrors.isRepeatable(e)) {
                    throw PostgresErrors.translate(e, statement.writes() ? Phase.WRITING : Phase.READING);
                }
                named &= !PostgresErrors.isLostStatement(e);
            }
        }
    }

    /**
     * Once, before the driver gives a statement a name: a transaction pooler may send the name to a session where it
     * stands for somebody else's statement. Behind a pooler the session's process id is not the one we connected to.
     */
    private void lookForPooler(BorrowedConnection connection) {
        if (checked) {
            return;
        }
        try {
            behindPooler = !connection.isDirect();
            checked = true;
        } catch (SQLException e) {
            throw PostgresErrors.translate(e, Phase.READING);
        }
    }

    private static <T> @Nullable T send(
            BorrowedConnection connection,
            PostgresStatement statement,
            Map<String, Object> values,
            long millis,
            boolean named,
            Answer<T> answer)
            throws SQLException {
        Map<String, Object> all = new HashMap<>(values);
        all.put("lock_timeout", Long.toString(Math.max(1, millis / 2)));
        try (PreparedStatement query = connection.get().prepareStatement(statement.sql())) {
            if (!named && query.isWrapperFor(PGStatement.class)) {
                query.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
            statement.bind(query, all);
            StatementWatch.cancelAfter(query, millis * 3 / 4);
            try (ResultSet rows = query.executeQuery()) {
                return answer.read(rows);
            } finally {
                StatementWatch.done(query);
            }
        }
    }
}
