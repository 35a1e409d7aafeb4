package dev.syncguard.postgres;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/**
 * Finds commits that did not reach the standby. If a wait for synchronous replication is cancelled, by us, by a time limit
 * or by an administrator, the server answers with success and a warning: a failover would lose such a grant.
 */
final class CommitWarnings {

    /**
     * Functions of the server whose warnings have nothing to do with the commit: RAISE WARNING in a trigger, and a
     * collation of another version. Texts are translated, and a fork may name its functions differently, so any other
     * warning counts.
     */
    private static final Set<String> HARMLESS = Set.of("exec_stmt_raise", "pg_newlocale_from_collation");

    private CommitWarnings() {}

    /** Fails if a statement that was answered with success may be lost in a failover. */
    static void check(Statement statement) throws SQLException {
        for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            if (isAboutCommit(warning)) {
                throw new LockException(
                        Code.SERVICE_UNAVAILABLE,
                        "the server committed, but warned that the standby may not have it, so it does not count (SQLSTATE "
                                + warning.getSQLState() + ")",
                        null,
                        true);
            }
        }
    }

    /** Notices are of class 00; a warning is of class 01, or of the class of what caused it. */
    private static boolean isAboutCommit(SQLWarning warning) {
        String state = warning.getSQLState();
        return (state == null || !state.startsWith("00")) && !HARMLESS.contains(String.valueOf(routine(warning)));
    }

    private static @Nullable String routine(SQLWarning warning) {
        ServerErrorMessage message = warning instanceof PSQLWarning server ? server.getServerErrorMessage() : null;
        return message == null ? null : message.getRoutine();
    }
}
