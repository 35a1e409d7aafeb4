package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of a guard, created by every process of an application as it starts. */
@Timeout(120)
class CreateTableTest {

    private static final int PROCESSES = 8;

    static Stream<String> databases() throws Exception {
        return Stream.of(Databases.postgres(), Databases.sqlite(), Databases.h2());
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("many processes that create the table at once all succeed")
    void atOnce(String url) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(PROCESSES);
        CyclicBarrier start = new CyclicBarrier(PROCESSES);
        // Stays open: SQLite refuses to switch a new file to its journal mode in several connections at once.
        try (Connection first = DriverManager.getConnection(url)) {
            assertThat(first.isValid(0)).isTrue();
            for (int round = 0; round < 5; round++) {
                JdbcFenceGuard guard = JdbcFenceGuard.on("fences_" + round);
                List<Future<?>> created = new ArrayList<>();
                for (int i = 0; i < PROCESSES; i++) {
                    created.add(pool.submit(() -> {
                        try (Connection connection = DriverManager.getConnection(url)) {
                            start.await();
                            guard.createTable(connection);
                            return write(guard, connection);
                        }
                    }));
                }
                for (Future<?> one : created) {
                    assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(true);
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean write(JdbcFenceGuard guard, Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        guard.advance(connection, "k", new Fence(1));
        connection.commit();
        return true;
    }

    @Test
    @DisplayName("in a transaction of PostgreSQL that is rolled back, no table is left")
    void inTransaction() throws Exception {
        JdbcFenceGuard guard = JdbcFenceGuard.create();
        try (Connection connection = DriverManager.getConnection(Databases.postgres())) {
            connection.setAutoCommit(false);
            guard.createTable(connection);
            guard.advance(connection, "k", new Fence(1));
            connection.rollback();

            assertThatThrownBy(() -> guard.highest(connection, "k")).hasMessageContaining("missing");
        }
    }

    @Test
    @DisplayName("a missing dialect is an invalid argument")
    void badInput() {
        assertThatThrownBy(() -> JdbcFenceGuard.create().ddl(null))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }
}
