package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.postgresql.ds.PGSimpleDataSource;

/** Every piece of SQL in the README and the guide runs on a PostgreSQL with the tables of the library. */
class SqlSnippetsTest {

    private static final PGSimpleDataSource DATABASE = new PGSimpleDataSource();
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of());
        DATABASE.setUrl(server.url());
        PostgresSchema.create(DATABASE, PostgresNames.defaults());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> snippets() {
        List<DynamicTest> tests = Documents.pages().stream()
                .flatMap(page -> Documents.blocks(page, "sql").stream()
                        .map(sql -> dynamicTest(
                                page.getFileName() + ": "
                                        + sql.lines().findFirst().orElse(""),
                                () -> run(sql))))
                .toList();
        assertThat(tests).hasSizeGreaterThan(3);
        return tests.stream();
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = DATABASE.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
