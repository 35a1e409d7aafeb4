package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LeaseCheckRightsTest {

    @Test
    @DisplayName("a role with the GRANTs of the README and nothing else can check a lease, and no more")
    void documentedRights() throws Exception {
        String role = TestDatabase.newName();
        try (TestDatabase database = TestDatabase.create();
                SyncGuard guard = SyncGuard.of(database.builder().build());
                Lease lease = guard.acquire(Locks.newKey().value())) {
            database.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
            for (String grant : documentedGrants()) {
                database.execute(grant.replace("SCHEMA \"public\"", "SCHEMA \"" + database.names.schema() + "\"")
                        .replace("\"public\".\"syncguard_locks\"", "{locks}")
                        .replace("TO app", "TO " + role));
            }
            String url = PostgresServer.sharedUrl()
                    .replaceAll("user=\\w+", "user=" + role)
                    .replaceAll("password=\\w+", "password=x");
            try (Connection connection = TestDatabase.plain(url).getConnection()) {
                connection.setAutoCommit(false);
                PostgresLeaseCheck.on(database.names).assertHeld(connection, lease);
                connection.commit();

                assertThatThrownBy(() -> connection
                                .createStatement()
                                .execute(database.named("UPDATE {locks} SET expires_at_ms = 0")))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("permission denied");
            }
        }
    }

    private static List<String> documentedGrants() throws Exception {
        return Pattern.compile("`(GRANT [^`]* TO app)`")
                .matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(result -> result.group(1))
                .toList();
    }
}
