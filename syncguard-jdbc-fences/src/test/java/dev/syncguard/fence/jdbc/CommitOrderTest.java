package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two transactions at once on PostgreSQL, step by step: the order of the commits decides. */
@Timeout(120)
class CommitOrderTest {

    private static final Fence OLD = new Fence(1);
    private static final Fence NEW = new Fence(2);

    private final String url = Databases.postgres();

    CommitOrderTest() throws SQLException {}

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    @DisplayName("a stale writer waits for the newer one's commit, and is refused then")
    void refusedAfterTheCommit(int isolation) throws Exception {
        GuardedTable table = Databases.table(url, isolation);
        table.write("k", OLD, "before");
        try (Connection newer = table.begin();
                Connection older = table.begin()) {
            table.fences.advance(newer, "k", NEW);
            CompletableFuture<Void> late = inBackground(older, table, OLD);
            GuardedTable.put(newer, "k", "newer");
            newer.commit();

            Throwable refusal =
                    catchThrowableOfType(CompletionException.class, late::join).getCause();
            older.rollback();

            if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
                assertThat(refusal).isInstanceOf(StaleFenceException.class);
            } else {
                assertThat(refusal)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            }
            assertThatThrownBy(() -> table.write("k", OLD, "stale")).isInstanceOf(StaleFenceException.class);
            assertThat(table.read("k")).contains("newer");
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    @DisplayName("a newer writer that rolls back does not lock the older one out")
    void acceptedAfterTheRollback(int isolation) throws Exception {
        GuardedTable table = Databases.table(url, isolation);
        table.write("k", OLD, "before");
        try (Connection newer = table.begin();
                Connection older = table.begin()) {
            table.fences.advance(newer, "k", NEW);
            CompletableFuture<Void> late = inBackground(older, table, OLD);
            newer.rollback();

            late.get(60, TimeUnit.SECONDS);
            GuardedTable.put(older, "k", "older");
            older.commit();
        }
        assertThat(table.read("k")).contains("older");
        assertThat(table.highest("k")).contains(OLD);
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    @DisplayName("a newer writer whose snapshot is older than the last write must repeat, or it would overwrite it")
    void staleSnapshot(int isolation) throws Exception {
        GuardedTable table = Databases.table(url, isolation);
        table.write("k", OLD, "before");
        try (Connection newer = table.begin()) {
            newer.createStatement().executeQuery("SELECT text FROM journal").close(); // takes the snapshot
            table.write("k", OLD, "last write of the older one");

            assertThatThrownBy(() -> table.fences.advance(newer, "k", NEW))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            newer.rollback();
        }
        table.write("k", NEW, "newer");
        assertThat(table.highest("k")).contains(NEW);
    }

    /** Returns when the statement waits for the other transaction. */
    private CompletableFuture<Void> inBackground(Connection connection, GuardedTable table, Fence fence)
            throws Exception {
        int pid;
        try (ResultSet rows = connection.createStatement().executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            pid = rows.getInt(1);
        }
        connection
                .rollback(); // at the higher levels the transaction's snapshot must not be older than the other's write
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try {
                table.fences.advance(connection, "k", fence);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
        try (Connection watch = DriverManager.getConnection(PostgresServer.sharedUrl())) {
            String blocked = "SELECT cardinality(pg_blocking_pids(" + pid + ")) > 0";
            boolean waits = false;
            while (!waits) {
                try (ResultSet rows = watch.createStatement().executeQuery(blocked)) {
                    rows.next();
                    waits = rows.getBoolean(1);
                }
            }
        }
        assertThat(done).isNotDone();
        return done;
    }
}
