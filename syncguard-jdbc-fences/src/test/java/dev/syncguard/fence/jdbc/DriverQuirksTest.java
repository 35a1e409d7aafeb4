package dev.syncguard.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Fence;
import dev.syncguard.fence.StaleFenceException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What drivers of MySQL and MariaDB do that the others do not, without such a server. */
class DriverQuirksTest {

    private static final FenceColumn ACCOUNTS = new FenceColumn("accounts", "id", "fence");

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Counts no row for an update that leaves a row as it was, as with {@code useAffectedRows}; here: for every second one. */
    private static Connection countingChanges(Connection target) {
        int[] updates = {0};
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = call(target, method, arguments);
            if (!(result instanceof PreparedStatement statement)) {
                return result;
            }
            return proxy(PreparedStatement.class, (same, called, values) -> {
                Object answer = call(statement, called, values);
                return called.getName().equals("executeUpdate") && ++updates[0] == 2 ? 0 : answer;
            });
        });
    }

    @Test
    @DisplayName("a holder advances its row again where the driver counts changed rows only")
    void changedRows() throws Exception {
        try (Connection connection = DriverManager.getConnection(Databases.h2())) {
            connection.createStatement().execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, fence BIGINT)");
            connection.createStatement().execute("INSERT INTO accounts VALUES (7, 0)");
            connection.setAutoCommit(false);
            Connection counting = countingChanges(connection);

            ACCOUNTS.advance(counting, 7L, new Fence(5));
            ACCOUNTS.advance(counting, 7L, new Fence(5));

            assertThatThrownBy(() -> ACCOUNTS.advance(counting, 7L, new Fence(4)))
                    .isInstanceOf(StaleFenceException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MySQL, 9.7.4, MYSQL",
        "MySQL, 5.5.5-10.11.18-MariaDB-0+deb12u1, MARIADB",
        "MySQL, 11.8.9-mariadb, MARIADB",
        "MariaDB, 10.11.18-MariaDB, MARIADB",
        "PostgreSQL, 17.11, POSTGRESQL",
        "Apache Derby, 10.17, OTHER"
    })
    @DisplayName("a database is known by what it is, not by whose driver asks")
    void dialects(String product, String version, SqlDialect dialect) throws Exception {
        DatabaseMetaData about = proxy(DatabaseMetaData.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getDatabaseProductName" -> product;
            case "getDatabaseProductVersion" -> version;
            default -> throw new UnsupportedOperationException(method.getName());
        });
        Connection connection = proxy(Connection.class, (proxy, method, arguments) -> about);

        assertThat(SqlDialect.of(connection)).isEqualTo(dialect);
    }

    @Test
    @DisplayName("a schema that MySQL does not know is a missing table")
    void missingSchema() {
        SQLException unknownDatabase = new SQLException("Unknown database 'app'", "42000", 1049);

        assertThat(SqlDialect.MYSQL.isMissingTable(unknownDatabase)).isTrue();
        assertThat(SqlDialect.MARIADB.isMissingTable(unknownDatabase)).isTrue();
        assertThat(SqlDialect.H2.isMissingTable(unknownDatabase)).isFalse();
    }

    @Test
    @DisplayName("a closed connection is said to be closed, also if its driver calls it one in autocommit")
    void closed() {
        Connection closed = proxy(Connection.class, (proxy, method, arguments) -> true);

        assertThatThrownBy(() -> JdbcFenceGuard.create().advance(closed, "k", new Fence(1)))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08003"));
    }
}
