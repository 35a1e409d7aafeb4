package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first writers to a resource, with plain SQL: one inserts the row between two statements of another. */
class FirstWriterTest {

    private static final Fence OLDEST = new Fence(3);
    private static final Fence OLDER = new Fence(4);
    private static final Fence NEWEST = new Fence(5);

    private GuardedTable table(int isolation) throws Exception {
        return Databases.table(Databases.h2(), isolation);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_UNCOMMITTED,
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    @DisplayName("a newer writer that meets the row of an older one after its update advances it")
    void newerAfterOlder(int isolation) throws Exception {
        GuardedTable table = table(isolation);
        try (Connection newest = table.begin()) {
            advanceWith(newest, table, NEWEST, () -> table.write("k", OLDEST, "oldest"));
            GuardedTable.put(newest, "k", "newest");
            newest.commit();
        } catch (SQLException e) {
            // A snapshot from before that row: the application repeats the transaction.
            assertThat(GuardedTable.isRepeatable(e)).isTrue();
            table.write("k", NEWEST, "newest");
        }

        assertThat(table.highest("k")).contains(NEWEST);
        assertThatThrownBy(() -> table.write("k", OLDER, "stale")).isInstanceOf(StaleFenceException.class);
        assertThat(table.read("k")).contains("newest");
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED})
    @DisplayName("an older writer that meets the row of a newer one after its update is refused")
    void olderAfterNewer(int isolation) throws Exception {
        GuardedTable table = table(isolation);
        try (Connection oldest = table.begin()) {
            assertThatThrownBy(() -> advanceWith(oldest, table, OLDEST, () -> table.write("k", NEWEST, "newest")))
                    .isInstanceOf(StaleFenceException.class);
            oldest.rollback();
        }
        assertThat(table.highest("k")).contains(NEWEST);
    }

    /** What another writer does meanwhile. */
    private interface Meanwhile {
        void run() throws Exception;
    }

    /** Lets the other writer in after the first statement, the update. */
    private static void advanceWith(Connection target, GuardedTable table, Fence fence, Meanwhile meanwhile)
            throws Exception {
        int[] prepared = {0};
        Connection connection = (Connection) Proxy.newProxyInstance(
                FirstWriterTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && ++prepared[0] == 2) {
                        meanwhile.run();
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        table.fences.advance(connection, "k", fence);
        assertThat(prepared[0]).isGreaterThan(1);
    }
}
