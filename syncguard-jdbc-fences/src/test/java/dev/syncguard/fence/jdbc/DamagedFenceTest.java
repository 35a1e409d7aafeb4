package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A number in the table that no guard has written. */
class DamagedFenceTest {

    private static final long NO_FENCE = 5_000_000_000_000_000L;

    static Stream<String> databases() throws Exception {
        return Stream.of(Databases.postgres(), Databases.sqlite(), Databases.h2());
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a number that is no fence refuses every writer as damaged, in the guard's table and in a column")
    void damaged(String url) throws Exception {
        JdbcFenceGuard guard = JdbcFenceGuard.create();
        FenceColumn column = new FenceColumn("syncguard_fences", "resource", "fence");
        try (Connection connection = DriverManager.getConnection(url)) {
            guard.createTable(connection);
            connection
                    .createStatement()
                    .execute("INSERT INTO syncguard_fences (resource, fence) VALUES ('k', " + NO_FENCE + ")");
            connection.setAutoCommit(false);

            damaged(() -> guard.advance(connection, "k", new Fence(7)));
            damaged(() -> guard.highest(connection, "k"));
            damaged(() -> column.advance(connection, "k", new Fence(7)));
            connection.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a null in a table of the application's own is damaged, and not a conflict to repeat for ever")
    void nullFence(String url) throws Exception {
        JdbcFenceGuard guard = JdbcFenceGuard.on("own_fences");
        try (Connection connection = DriverManager.getConnection(url)) {
            connection
                    .createStatement()
                    .execute("CREATE TABLE own_fences (resource VARCHAR(512) PRIMARY KEY, fence BIGINT)");
            connection.createStatement().execute("INSERT INTO own_fences VALUES ('k', NULL)");
            connection.setAutoCommit(false);

            damaged(() -> guard.advance(connection, "k", new Fence(7)));
            damaged(() -> guard.highest(connection, "k"));
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
