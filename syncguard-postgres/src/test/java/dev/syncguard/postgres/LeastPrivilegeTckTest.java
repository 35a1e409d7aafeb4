package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.testbed.PostgresServer;
import java.sql.SQLException;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract as a role that has the documented permissions and no other. */
class LeastPrivilegeTckTest extends PostgresLockBackendTckTest {

    private final String role = TestDatabase.newName();
    private final String roleUrl = grantAsDocumented();
    private final com.zaxxer.hikari.HikariDataSource rolePool = TestDatabase.pool(roleUrl, 16);

    /** Takes the GRANTs from the script of the jar. */
    private String grantAsDocumented() {
        database.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
        String grants = PostgresSchema.script(database.names)
                .lines()
                .filter(line -> line.contains("GRANT"))
                .map(line -> line.replace("--", "").replace("\"public\"", "\"" + database.names.schema() + "\""))
                .collect(Collectors.joining("\n"));
        database.execute(grants.replace(" TO app", " TO " + role));
        return PostgresServer.sharedUrl()
                .replaceAll("user=\\w+", "user=" + role)
                .replaceAll("password=\\w+", "password=x");
    }

    @Override
    PostgresLockBackendBuilder builder() {
        return PostgresLockBackend.builder(rolePool).names(database.names);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM {counters}", "TRUNCATE {counters}", "DROP TABLE {counters}"})
    @DisplayName("the database itself forbids losing a counter")
    void countersCannotBeLost(String sql) {
        Assertions.assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> {
                    try (var connection = TestDatabase.plain(roleUrl).getConnection();
                            var statement = connection.createStatement()) {
                        statement.execute(database.named(sql));
                    }
                })
                .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("42501"));
    }

    @Test
    @DisplayName("the schema can be checked, and created again when nothing is missing")
    void schema() {
        DataSource source = TestDatabase.plain(roleUrl);

        PostgresSchema.create(source, database.names);

        assertThat(PostgresSchema.check(source, database.names)).isEmpty();
    }

    @AfterAll
    void dropRole() {
        rolePool.close();
        database.execute("DROP OWNED BY " + role);
        database.execute("DROP ROLE " + role);
    }
}
