package dev.syncguard.fence.jdbc;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Checks the connection of a caller. */
final class Transactions {

    private Transactions() {}

    static Connection given(@Nullable Connection connection) {
        if (connection == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "connection must not be null");
        }
        return connection;
    }

    /** In autocommit the check would end before the protected write begins, and protect nothing. */
    static void require(@Nullable Connection connection) throws SQLException {
        Connection checked = given(connection);
        if (checked.getAutoCommit()) {
            if (checked.isClosed()) { // MySQL's driver answers all the same
                throw new SQLException("this connection is closed", "08003");
            }
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "this connection is in autocommit, so the check would not protect the write; call"
                            + " setAutoCommit(false), check and write, then commit");
        }
    }
}
