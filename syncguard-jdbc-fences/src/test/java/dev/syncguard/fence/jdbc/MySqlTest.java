package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.tck.FenceGuardTck;
import dev.syncguard.tck.FencedStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract on a MySQL or a MariaDB that somebody started: the build brings none along. */
@EnabledIfEnvironmentVariable(
        named = MySqlTest.VARIABLE,
        matches = "jdbc:.+",
        disabledReason = "needs the JDBC URL of a MySQL or MariaDB, of a user who may create databases")
class MySqlTest {

    /** The URL of the server, with user and password. */
    static final String VARIABLE = "SYNCGUARD_TEST_MYSQL";

    private static final FenceColumn ACCOUNTS = new FenceColumn("accounts", "id", "fence");

    @Nested
    class ReadCommitted extends FenceGuardTck {

        private final GuardedTable table;

        ReadCommitted() throws Exception {
            table = Databases.table(Databases.mysql(), Connection.TRANSACTION_READ_COMMITTED);
        }

        @Override
        protected FencedStore store() {
            return table;
        }
    }

    @Nested
    class RepeatableRead extends FenceGuardTck {

        private final GuardedTable table;

        RepeatableRead() throws Exception {
            table = Databases.table(Databases.mysql(), Connection.TRANSACTION_REPEATABLE_READ);
        }

        @Override
        protected FencedStore store() {
            return table;
        }
    }

    @Nested
    class Serializable extends FenceGuardTck {

        private final GuardedTable table;

        Serializable() throws Exception {
            table = Databases.table(Databases.mysql(), Connection.TRANSACTION_SERIALIZABLE);
        }

        @Override
        protected FencedStore store() {
            return table;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"useAffectedRows=false", "useAffectedRows=true"})
    @DisplayName("a row is advanced by its holder again and again, whichever rows the driver counts")
    void sameHolder(String counting) throws Exception {
        String url = Databases.mysql();
        try (Connection connection = DriverManager.getConnection(url + (url.contains("?") ? "&" : "?") + counting)) {
            accounts(connection);
            ACCOUNTS.advance(connection, 7L, new Fence(5));
            ACCOUNTS.advance(connection, 7L, new Fence(5));
            JdbcFenceGuard.create().advance(connection, "account:7", new Fence(5));
            JdbcFenceGuard.create().advance(connection, "account:7", new Fence(5));
            connection.commit();

            assertThatThrownBy(() -> ACCOUNTS.advance(connection, 7L, new Fence(4)))
                    .isInstanceOf(StaleFenceException.class);
            connection.rollback();
        }
    }

    @Test
    @DisplayName("a stale writer whose snapshot is older than the newer fence is refused as stale")
    void oldSnapshot() throws Exception {
        String url = Databases.mysql();
        try (Connection stale = DriverManager.getConnection(url);
                Connection newer = DriverManager.getConnection(url)) {
            accounts(newer);
            stale.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            stale.setAutoCommit(false);
            stale.createStatement().executeQuery("SELECT * FROM accounts").close(); // takes the snapshot
            ACCOUNTS.advance(newer, 7L, new Fence(9));
            newer.commit();

            assertThat(catchThrowableOfType(StaleFenceException.class, () -> ACCOUNTS.advance(stale, 7L, new Fence(3)))
                            .highest())
                    .isEqualTo(new Fence(9));
            assertThatThrownBy(() -> deposit(stale, new Fence(3))).isInstanceOf(StaleFenceException.class);
            stale.rollback();
        }
    }

    private static void accounts(Connection connection) throws SQLException {
        JdbcFenceGuard.create().createTable(connection);
        connection
                .createStatement()
                .execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT, fence BIGINT)");
        connection.createStatement().execute("INSERT INTO accounts VALUES (7, 0, 0)");
        connection.setAutoCommit(false);
    }

    private static void deposit(Connection connection, Fence fence) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE accounts SET balance = balance + 1, fence = ? WHERE id = 7 AND fence <= ?")) {
            update.setLong(1, fence.value());
            update.setLong(2, fence.value());
            ACCOUNTS.requireWritten(connection, 7L, fence, update.executeUpdate());
        }
    }
}
