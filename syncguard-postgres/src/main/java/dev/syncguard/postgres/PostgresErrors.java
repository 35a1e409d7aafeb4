package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ConflictException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Turns what the driver and the pool throw into lock exceptions, by SQLSTATE. */
final class PostgresErrors {

    /** What was being done: only a statement that writes can have an unknown outcome. */
    enum Phase {
        CONNECTING,
        READING,
        WRITING
    }

    /** Serialization failure and deadlock: nothing happened. The other two: the server does not know the statement. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");

    private static final Set<String> LOST_STATEMENT = Set.of("26000", "42P05", "08P01");
    private static final Set<String> BAD_TEXT = Set.of("22021", "22P05", "22001");
    private static final Set<String> MISSING = Set.of("42P01", "3F000", "42703", "42P10");

    private PostgresErrors() {}

    static boolean isRepeatable(SQLException e) {
        return CONFLICTS.contains(state(e)) || isLostStatement(e);
    }

    /** A pooler moved us to another session, which does not have our prepared statement or has another one there. */
    static boolean isLostStatement(SQLException e) {
        return LOST_STATEMENT.contains(state(e)) && !isFatal(e);
    }

    static boolean isMissing(SQLException e) {
        return MISSING.contains(state(e));
    }

    static LockException translate(SQLException e, Phase phase) {
        String state = state(e);
        Code code = code(e, state, phase);
        String message = message(code, state, phase);
        if (CONFLICTS.contains(state) || state.equals("55P03")) {
            return new ConflictException(code, message, withoutData(e));
        }
        boolean unknown = phase == Phase.WRITING && mayHaveCommitted(e, state);
        return new LockException(code, message, withoutData(e), unknown);
    }

    /** The watch closed the connection at the end of the operation's time. */
    static LockException aborted(SQLException e, Phase phase) {
        return new LockException(
                Code.NETWORK_TIMEOUT, "the server did not answer in time", withoutData(e), phase == Phase.WRITING);
    }

    private static Code code(SQLException e, String state, Phase phase) {
        if (find(e, SocketTimeoutException.class) != null) {
            return Code.NETWORK_TIMEOUT;
        }
        if (state.isEmpty()) {
            return phase == Phase.CONNECTING && isExhausted(e) ? Code.RATE_LIMITED : Code.SERVICE_UNAVAILABLE;
        }
        return switch (state) {
            case "55P03", "57014", "25P04" -> Code.NETWORK_TIMEOUT;
            case "53300" -> Code.RATE_LIMITED;
            case "42501" -> Code.AUTH_FAILED;
            case "25006" -> Code.SERVICE_UNAVAILABLE;
            case "08004" -> isTlsMissing(e) ? Code.INVALID_ARGUMENT : Code.AUTH_FAILED;
            // A pool that cannot set up its connections.
            case "0A000" -> phase == Phase.CONNECTING ? Code.SERVICE_UNAVAILABLE : Code.INTERNAL;
            case "3D000" -> Code.INVALID_ARGUMENT;
            default -> codeOfClass(state);
        };
    }

    private static Code codeOfClass(String state) {
        if (BAD_TEXT.contains(state)) {
            return Code.INVALID_ARGUMENT;
        }
        return switch (state.substring(0, Math.min(2, state.length()))) {
            case "08", "40", "53", "57", "58" -> Code.SERVICE_UNAVAILABLE;
            case "28" -> Code.AUTH_FAILED;
            default -> Code.INTERNAL;
        };
    }

    /** The session ended under the statement, perhaps after its commit. A cancelled or refused one did nothing. */
    private static boolean mayHaveCommitted(SQLException e, String state) {
        boolean connectionLost = state.startsWith("08") && !state.equals("08003") && !isLostStatement(e);
        return state.isEmpty() || connectionLost || state.startsWith("57P") || isFatal(e);
    }

    private static boolean isFatal(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException pg ? pg.getServerErrorMessage() : null;
        String severity = server == null ? null : server.getSeverity();
        return "FATAL".equals(severity) || "PANIC".equals(severity);
    }

    /** The driver has one state for this and for a missing password; its texts are translated, this word is not. */
    static boolean isTlsMissing(SQLException e) {
        return driverSays(e, "SSL");
    }

    static boolean driverSays(SQLException e, String word) {
        SQLException refused = find(e, PSQLException.class);
        return String.valueOf((refused == null ? e : refused).getMessage()).contains(word);
    }

    private static boolean isExhausted(SQLException e) {
        return e instanceof SQLTransientConnectionException
                || find(e, TimeoutException.class) != null
                || find(e, NoSuchElementException.class) != null
                || e.getClass().getSimpleName().contains("PoolExhausted");
    }

    private static String message(Code code, String state, Phase phase) {
        String what = switch (state) {
            case "23505" -> "this lock id holds another key";
            case "25006" -> "the server is read-only (a standby, or default_transaction_read_only)";
            case "3D000" -> "the database does not exist; check the name in the URL";
            case "40001" -> "transactions of other clients got in the way at every repetition (serialization failure)";
            case "40P01" -> "transactions of other clients got in the way at every repetition (deadlock)";
            case "55P03" -> "another client's transaction sits on the row or the advisory lock of this key";
            case "57014" -> "the statement was cancelled, by its time limit or by another session";
            case "26000", "42P05" ->
                "a pooler lost a prepared statement; set prepareThreshold=0 in the connection's URL";
            default -> general(code, state, phase);
        };
        return state.isEmpty() ? what : what + " (SQLSTATE " + state + ")";
    }

    private static String general(Code code, String state, Phase phase) {
        if (MISSING.contains(state)) {
            return "a table, column or index for the locks is missing; create it with PostgresSchema.create(dataSource,"
                    + " names) or with schema.sql, and see PostgresSchema.check";
        }
        return switch (code) {
            case AUTH_FAILED ->
                phase == Phase.CONNECTING
                        ? "the server refused the credentials"
                        : "the role lacks a permission; see the GRANTs in schema.sql";
            case RATE_LIMITED -> "no connection is free, in the pool or at the server";
            case NETWORK_TIMEOUT -> "the server did not answer in time";
            case INVALID_ARGUMENT -> "the database's encoding cannot hold this key";
            case SERVICE_UNAVAILABLE -> "the server cannot be reached or cannot serve now";
            default -> "the server refused the statement";
        };
    }

    /** The details of a server's error quote rows, and with them keys and lock ids. */
    private static SQLException withoutData(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException pg ? pg.getServerErrorMessage() : null;
        if (server == null) {
            return e;
        }
        SQLException copy = new SQLException(server.getSeverity() + ": " + server.getMessage(), e.getSQLState());
        copy.setStackTrace(e.getStackTrace());
        return copy;
    }

    /** The state of the exception, or of the first cause that has one (pools wrap); empty if there is none. */
    static String state(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    static <T> @Nullable T find(Throwable e, Class<T> type) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }
}
