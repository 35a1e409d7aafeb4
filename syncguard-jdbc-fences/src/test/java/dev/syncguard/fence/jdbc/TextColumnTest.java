package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.fence.StaleFenceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A table of the application's own whose fence is a text, as its 15 digits invite to: "9" is above "10" there. */
class TextColumnTest {

    private static final JdbcFenceGuard GUARD = JdbcFenceGuard.on("texts");
    private static final FenceColumn COLUMN = new FenceColumn("texts", "resource", "fence");

    private interface Check {
        void advance(Connection connection, Fence fence) throws SQLException;
    }

    static Stream<String> databases() throws Exception {
        return Stream.of(Databases.postgres(), Databases.sqlite(), Databases.h2());
    }

    private static Connection open(String url, String stored) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.createStatement().execute("DROP TABLE IF EXISTS texts");
        connection
                .createStatement()
                .execute("CREATE TABLE texts (resource VARCHAR(512) PRIMARY KEY, fence VARCHAR(20))");
        connection.createStatement().execute("INSERT INTO texts VALUES ('k', '" + stored + "')");
        connection.setAutoCommit(false);
        return connection;
    }

    /** Returns the fences that passed. */
    private static List<Long> passed(String url, Check check) throws SQLException {
        List<Long> passed = new ArrayList<>();
        try (Connection connection = open(url, "000000000000008")) {
            for (long number : new long[] {9, 10, 9, 100, 99, 100}) {
                try {
                    check.advance(connection, new Fence(number));
                    connection.commit();
                    passed.add(number);
                } catch (StaleFenceException e) {
                    connection.rollback();
                } catch (SQLException e) {
                    assertThat(e.getSQLState()).as("text <= bigint").isEqualTo("42883");
                    connection.rollback();
                }
            }
        }
        return passed;
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("fences in a text are compared as numbers, or refused by a database that compares no text with one")
    void neverGoesBack(String url) throws Exception {
        List<Long> expected = url.startsWith("jdbc:postgresql") ? List.of() : List.of(9L, 10L, 100L, 100L);

        assertThat(passed(url, (connection, fence) -> GUARD.advance(connection, "k", fence)))
                .isEqualTo(expected);
        assertThat(passed(url, (connection, fence) -> COLUMN.advance(connection, "k", fence)))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("a text that is no number is damaged, and not a conflict to repeat for ever")
    void noNumber() throws Exception {
        try (Connection connection = open(Databases.sqlite(), "abc")) {
            damaged(() -> GUARD.advance(connection, "k", new Fence(7)));
            damaged(() -> COLUMN.advance(connection, "k", new Fence(7)));
            damaged(() -> GUARD.highest(connection, "k"));
            connection.rollback();
        }
    }

    private interface Action {
        void run() throws SQLException;
    }

    private static void damaged(Action action) {
        assertThatThrownBy(action::run).isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.INTERNAL);
            assertThat(e).hasMessageContaining("damaged");
        });
    }
}
