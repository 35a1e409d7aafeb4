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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application may do wrong, and what the guard costs. */
class JdbcFenceGuardTest {

    private static final Fence FENCE = new Fence(5);

    private final JdbcFenceGuard fences = JdbcFenceGuard.create();

    static Stream<String> databases() throws Exception {
        return Stream.of(Databases.postgres(), Databases.sqlite(), Databases.h2());
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a connection in autocommit is refused, and nothing is written")
    void autocommit(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            fences.createTable(connection);

            LockException failure =
                    catchThrowableOfType(LockException.class, () -> fences.advance(connection, "k", FENCE));

            assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(failure).hasMessageContaining("setAutoCommit(false)");
            assertThat(fences.highest(connection, "k")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a missing table is named together with what creates it")
    void missingTable(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);

            LockException failure =
                    catchThrowableOfType(LockException.class, () -> fences.advance(connection, "k", FENCE));
            connection.rollback();

            assertThat(failure.code()).isEqualTo(Code.INTERNAL);
            assertThat(failure)
                    .hasMessageContaining("syncguard_fences")
                    .hasMessageContaining("createTable(connection)");
            assertThatThrownBy(() -> fences.highest(connection, "k")).isInstanceOf(LockException.class);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("a table with another name works like the default one")
    void otherName(String url) throws Exception {
        JdbcFenceGuard other = JdbcFenceGuard.on("other_fences");
        try (Connection connection = DriverManager.getConnection(url)) {
            other.createTable(connection);
            connection.setAutoCommit(false);
            other.advance(connection, "k", FENCE);
            connection.commit();

            assertThat(other.highest(connection, "k")).contains(FENCE);
            assertThatThrownBy(() -> other.advance(connection, "k", new Fence(4)))
                    .isInstanceOf(StaleFenceException.class);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Fences", "a b", "a;b", "a.b.c", "\"a\"", "1a", "fences--", "a."})
    @DisplayName("a name that does not belong into a statement is refused")
    void badNames(String name) {
        assertThatThrownBy(() -> JdbcFenceGuard.on(name)).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> new FenceColumn("t", name, "f")).isInstanceOf(LockException.class);
    }

    @ParameterizedTest
    @MethodSource("databases")
    @DisplayName("an accepted fence costs one statement")
    void oneStatement(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            fences.createTable(connection);
            connection.setAutoCommit(false);
            fences.advance(connection, "k", new Fence(1));
            connection.commit();
            CountingConnection counted = new CountingConnection(connection);

            fences.advance(counted.connection(), "k", new Fence(1));
            fences.advance(counted.connection(), "k", new Fence(2));
            connection.commit();

            assertThat(counted.executed()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName(
            "on PostgreSQL the check, the write and the commit are three round trips, the first one with BEGIN in it")
    void roundTrips() throws Exception {
        String url = Databases.postgres() + "&socketFactory=" + CountingSocketFactory.class.getName();
        try (Connection connection = DriverManager.getConnection(url)) {
            fences.createTable(connection);
            connection.createStatement().execute("CREATE TABLE journal (resource TEXT, text TEXT)");
            connection.setAutoCommit(false);
            fences.advance(connection, "k", FENCE);
            connection.commit();
            long before = CountingSocketFactory.sent();

            fences.advance(connection, "k", FENCE);

            assertThat(CountingSocketFactory.sent() - before).isEqualTo(1);
            connection.createStatement().execute("INSERT INTO journal VALUES ('k', 'v')");
            connection.commit();
            assertThat(CountingSocketFactory.sent() - before).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("a role with the documented GRANTs and nothing else can do everything but forget a fence")
    void leastPrivilege() throws Exception {
        String url = Databases.postgres();
        String role = Databases.newName();
        JdbcFenceGuard guard;
        try (Connection owner = DriverManager.getConnection(url)) {
            guard = JdbcFenceGuard.on(owner.getSchema() + ".fences");
            guard.createTable(owner);
            owner.createStatement().execute("CREATE ROLE " + role + " LOGIN");
            for (String grant : grants(guard)) {
                owner.createStatement().execute(grant.replace("TO app", "TO " + role));
            }
        }
        try (Connection app = DriverManager.getConnection(url.replaceAll("user=[^&]*", "user=" + role))) {
            app.setAutoCommit(false);
            guard.advance(app, "k", FENCE);
            app.commit();
            assertThatThrownBy(() -> guard.advance(app, "k", new Fence(4))).isInstanceOf(StaleFenceException.class);
            app.rollback();
            assertThat(guard.highest(app, "k")).contains(FENCE);
            assertThatThrownBy(() -> app.createStatement().execute("DELETE FROM fences"))
                    .hasMessageContaining("permission denied");
            app.rollback();
        }
    }

    private static List<String> grants(JdbcFenceGuard guard) {
        return guard.ddl(SqlDialect.POSTGRESQL)
                .lines()
                .filter(line -> line.contains("GRANT"))
                .map(line -> line.replace("--", ""))
                .toList();
    }

    @Test
    @DisplayName("without a schema in its name, the GRANTs of a table name none")
    void grantsWithoutSchema() {
        assertThat(grants(fences)).singleElement().asString().contains("ON syncguard_fences TO app");
    }

    @Test
    @DisplayName("there is a DDL for every dialect, and it names the table")
    void ddl() {
        for (SqlDialect dialect : SqlDialect.values()) {
            assertThat(JdbcFenceGuard.on("app.fences").ddl(dialect))
                    .contains("app.fences (")
                    .doesNotContain("syncguard_fences");
        }
    }
}
