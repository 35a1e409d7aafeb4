package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.fence.StaleFenceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FenceColumnTest {

    private static final FenceColumn ACCOUNTS = new FenceColumn("accounts", "id", "fence");

    static Stream<Connection> databases() throws Exception {
        Connection[] connections = {
            DriverManager.getConnection(Databases.postgres()),
            DriverManager.getConnection(Databases.sqlite()),
            DriverManager.getConnection(Databases.h2())
        };
        for (Connection connection : connections) {
            connection
                    .createStatement()
                    .execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT, fence BIGINT)");
            connection.createStatement().execute("INSERT INTO accounts VALUES (7, 0, NULL), (8, 0, 3)");
        }
        return Stream.of(connections);
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a row is advanced by its holder again and again, by the next one, and never by an older one")
    void advances(Connection connection) throws Exception {
        try (connection) {
            connection.setAutoCommit(false);
            ACCOUNTS.advance(connection, 7L, new Fence(1)); // null before
            ACCOUNTS.advance(connection, 7L, new Fence(1));
            ACCOUNTS.advance(connection, 7L, new Fence(2));
            connection.commit();

            StaleFenceException refusal = catchThrowableOfType(
                    StaleFenceException.class, () -> ACCOUNTS.advance(connection, 7L, new Fence(1)));
            connection.rollback();

            assertThat(refusal.fence()).isEqualTo(new Fence(1));
            assertThat(refusal.highest()).isEqualTo(new Fence(2));
            assertThat(value(connection, "fence", 7)).isEqualTo(2);
            assertThat(value(connection, "fence", 8)).as("the other row").isEqualTo(3);
            ACCOUNTS.advance(connection, 7L, new Fence(9));
            connection.rollback();
            assertThat(value(connection, "fence", 7)).as("after a rollback").isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("the protected update itself is the check, also in autocommit")
    void ownUpdate(Connection connection) throws Exception {
        try (connection) {
            deposit(connection, 8, 100, new Fence(3));
            deposit(connection, 8, 100, new Fence(4));

            assertThatThrownBy(() -> deposit(connection, 8, 100, new Fence(3))).isInstanceOf(StaleFenceException.class);

            assertThat(value(connection, "balance", 8)).isEqualTo(200);
            assertThat(value(connection, "fence", 8)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("an update whose condition does not let a null fence pass says so, and writes nothing")
    void nullFence(Connection connection) throws Exception {
        try (connection) {
            assertThatThrownBy(() -> deposit(connection, 7, 100, new Fence(3))).hasMessageContaining("null");
            assertThat(value(connection, "balance", 7)).isZero();

            connection.setAutoCommit(false);
            ACCOUNTS.advance(connection, 7L, new Fence(3));
            deposit(connection, 7, 100, new Fence(3));
            connection.commit();
            assertThat(value(connection, "balance", 7)).isEqualTo(100);
        }
    }

    private static void deposit(Connection connection, long id, long amount, Fence fence) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE accounts SET balance = balance + ?, fence = ? WHERE id = ? AND fence <= ?")) {
            update.setLong(1, amount);
            update.setLong(2, fence.value());
            update.setLong(3, id);
            update.setLong(4, fence.value());
            ACCOUNTS.requireWritten(connection, id, fence, update.executeUpdate());
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a missing row, a missing id, an impossible fence and autocommit are invalid arguments")
    void badInput(Connection connection) throws Exception {
        try (connection) {
            invalid(() -> ACCOUNTS.advance(connection, 7L, new Fence(1)));
            connection.setAutoCommit(false);
            invalid(() -> ACCOUNTS.advance(connection, 99L, new Fence(1)));
            invalid(() -> ACCOUNTS.advance(connection, null, new Fence(1)));
            invalid(() -> ACCOUNTS.advance(connection, 7L, new Fence(0)));
            invalid(() -> ACCOUNTS.advance(connection, 7L, null));
            invalid(() -> ACCOUNTS.advance(null, 7L, new Fence(1)));
            invalid(() -> ACCOUNTS.requireWritten(connection, 7L, new Fence(1), 0));
            connection.rollback();
            assertThat(value(connection, "balance", 7)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a column with the name of a function is the column, or an error, and never all rows")
    void functionName(Connection connection) throws Exception {
        FenceColumn sessions = new FenceColumn("sessions", "user", "fence");
        try (connection) {
            boolean upper = SqlDialect.of(connection) == SqlDialect.H2;
            String key = upper ? "\"USER\"" : "\"user\"";
            connection.createStatement().execute("CREATE TABLE sessions (" + key + " VARCHAR(99), fence BIGINT)");
            connection.createStatement().execute("INSERT INTO sessions VALUES ('ann', 1), ('bob', 1)");
            connection.setAutoCommit(false);
            for (String role :
                    List.of("postgres", "SA", connection.getMetaData().getUserName() + "")) {
                assertThatThrownBy(() -> sessions.advance(connection, role, new Fence(5)));
                connection.rollback();
            }
            if (!upper) { // H2 takes no such name without quotes
                sessions.advance(connection, "ann", new Fence(3));
                assertThatThrownBy(() -> sessions.requireWritten(connection, "ann", new Fence(2), 0))
                        .isInstanceOf(StaleFenceException.class);
            }
            assertThatThrownBy(() -> sessions.requireWritten(connection, "nobody", new Fence(2), 0))
                    .isNotInstanceOf(StaleFenceException.class);
        }
    }

    private interface Action {
        void run() throws SQLException;
    }

    private static void invalid(Action action) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }

    private static long value(Connection connection, String column, long id) throws SQLException {
        try (ResultSet rows =
                connection.createStatement().executeQuery("SELECT " + column + " FROM accounts WHERE id = " + id)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
