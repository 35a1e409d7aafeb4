package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.postgres.PostgresErrors.Phase;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Says why there is no connection, and to which server. */
final class ConnectErrors {

    /** What is no PostgreSQL often waits for the end of a line. */
    static final String SILENT = " did not answer in time to a new connection; check that it is a PostgreSQL server";

    private ConnectErrors() {}

    static LockException translate(SQLException e, DataSource dataSource) {
        LockException general = PostgresErrors.translate(e, Phase.CONNECTING);
        String reason = reason(e, ServerAddress.of(dataSource));
        return reason == null
                ? general
                : new LockException(general.code(), reason + suffix(e), general.getCause(), false);
    }

    /** Some pools throw unchecked exceptions when they cannot connect. */
    static LockException translatePool(RuntimeException e, DataSource dataSource) {
        SQLException cause = PostgresErrors.find(e, SQLException.class);
        return cause != null
                ? translate(cause, dataSource)
                : new LockException(Code.SERVICE_UNAVAILABLE, "the DataSource gave no connection", e);
    }

    private static String suffix(SQLException e) {
        String state = PostgresErrors.state(e);
        return state.isEmpty() ? "" : " (SQLSTATE " + state + ")";
    }

    /** A reset is what a server causes that closes without having read; the other way round it is a broken pipe. */
    private static boolean isClosed(SQLException e) {
        SocketException broken = PostgresErrors.find(e, SocketException.class);
        String message = broken == null ? "" : String.valueOf(broken.getMessage());
        return PostgresErrors.find(e, EOFException.class) != null
                || message.contains("Connection reset")
                || message.contains("Broken pipe");
    }

    /** The driver has no exception of its own for that; the words are the same in all its languages. */
    private static boolean isTlsFailure(SQLException e) {
        return PostgresErrors.state(e).equals("08006")
                && (PostgresErrors.driverSays(e, "SSL") || PostgresErrors.driverSays(e, "HostnameVerifier"));
    }

    private static @Nullable String reason(SQLException e, String server) {
        if (PostgresErrors.find(e, UnknownHostException.class) != null) {
            return "the host of " + server + " is unknown";
        }
        if (PostgresErrors.find(e, ConnectException.class) != null) {
            return "connection to " + server + " refused; check that the server runs there and takes connections";
        }
        if (PostgresErrors.find(e, SocketTimeoutException.class) != null) {
            return server + SILENT;
        }
        if (isClosed(e)) {
            return server + " closed the new connection; it is no PostgreSQL server, or is starting or stopping";
        }
        if (isTlsFailure(e)) {
            return "TLS with " + server
                    + " failed; check that its certificate names this host and has a trusted issuer, and that the files of"
                    + " certificates and keys can be read";
        }
        return switch (PostgresErrors.state(e)) {
            case "28P01" -> server + " refused the password or the role";
            case "28000" -> server + " does not know this role, or does not let it in from here; see its pg_hba.conf";
            case "08004" ->
                PostgresErrors.isTlsMissing(e)
                        ? server + " offers no TLS, which the connection asks for"
                        : server
                                + " asks for a password, and none was given, or for a login that the driver does not know";
            case "3D000" -> "the database does not exist on " + server + "; check the name in the URL";
            case "08P01" -> server + " does not speak the protocol of PostgreSQL; check host and port";
            case "0A000" ->
                "the pool cannot set up a connection to " + server
                        + "; a HikariCP pool whose first connection broke stays so until it is created again";
            case "08001", "08006" -> "no connection to " + server;
            default -> null;
        };
    }
}
