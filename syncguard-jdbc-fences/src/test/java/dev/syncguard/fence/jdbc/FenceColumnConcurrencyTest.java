package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Many writers of one row that keeps its fence itself, in both ways in which it can be written. */
@Timeout(120)
class FenceColumnConcurrencyTest {

    private static final int WRITERS = 16;
    private static final int WRITES = 8;
    private static final FenceColumn ACCOUNTS = new FenceColumn("accounts", "id", "fence");

    static Stream<Arguments> databases() throws Exception {
        List<Arguments> cases = new ArrayList<>();
        for (String url : List.of(Databases.postgres(), Databases.h2(), Databases.sqlite())) {
            IntStream levels = url.startsWith("jdbc:sqlite")
                    ? IntStream.of(Connection.TRANSACTION_SERIALIZABLE)
                    : IntStream.of(
                            Connection.TRANSACTION_READ_COMMITTED,
                            Connection.TRANSACTION_REPEATABLE_READ,
                            Connection.TRANSACTION_SERIALIZABLE);
            levels.forEach(level -> cases.add(arguments(url, level)));
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("16 threads write at once: the fence never goes back, and its write is the one that stays")
    void concurrentWriters(String url, int isolation) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.createStatement().execute("DROP TABLE IF EXISTS accounts");
            connection
                    .createStatement()
                    .execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, writer BIGINT, fence BIGINT)");
            connection.createStatement().execute("INSERT INTO accounts VALUES (7, 0, NULL)");
            List<Future<Long>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(pool.submit(() -> {
                    start.await();
                    return writeAtRandom(url, isolation);
                }));
            }
            long highest = 0;
            for (Future<Long> writer : writers) {
                highest = Math.max(highest, writer.get(90, TimeUnit.SECONDS));
            }
            try (ResultSet row = connection.createStatement().executeQuery("SELECT writer, fence FROM accounts")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getLong("fence")).isEqualTo(highest);
                assertThat(row.getLong("writer")).isEqualTo(highest);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Returns the highest fence that was accepted. What is refused must be refused for a fence that is newer. */
    private static long writeAtRandom(String url, int isolation) throws SQLException {
        long highest = 0;
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            for (int i = 0; i < WRITES; i++) {
                Fence fence = new Fence(ThreadLocalRandom.current().nextLong(1, 1_000_000));
                try {
                    repeat(connection, fence, i % 2 == 0);
                    assertThat(fence.value()).as("accepted after %s", highest).isGreaterThanOrEqualTo(highest);
                    highest = fence.value();
                } catch (StaleFenceException e) {
                    connection.rollback();
                    assertThat(e.highest()).isGreaterThan(fence);
                    assertThat(e.highest().value()).isGreaterThanOrEqualTo(highest);
                }
            }
        }
        return highest;
    }

    private static void repeat(Connection connection, Fence fence, boolean first) throws SQLException {
        while (true) {
            try {
                write(connection, fence, first);
                connection.commit();
                return;
            } catch (SQLException e) {
                connection.rollback();
                if (!GuardedTable.isRepeatable(e)) {
                    throw e;
                }
            }
        }
    }

    private static void write(Connection connection, Fence fence, boolean first) throws SQLException {
        if (first) {
            ACCOUNTS.advance(connection, 7L, fence);
        }
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE accounts SET writer = ?, fence = ?" + " WHERE id = 7 AND (fence IS NULL OR fence <= ?)")) {
            for (int i = 1; i <= 3; i++) {
                update.setLong(i, fence.value());
            }
            ACCOUNTS.requireWritten(connection, 7L, fence, update.executeUpdate());
        }
    }
}
