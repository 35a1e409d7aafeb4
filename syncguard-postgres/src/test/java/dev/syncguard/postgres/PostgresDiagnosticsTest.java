package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.StoreDiagnostics.Finding;
import dev.syncguard.spi.StoreDiagnostics.Level;
import dev.syncguard.testbed.PostgresServer;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PostgresDiagnosticsTest {

    private static Map<String, Finding> inspect(PostgresLockBackend backend) {
        return backend.diagnostics().orElseThrow().inspect(NONE).stream()
                .collect(Collectors.toMap(Finding::id, finding -> finding));
    }

    private static Level level(PostgresLockBackend backend, String id) {
        return inspect(backend).get(id).level();
    }

    @Test
    @DisplayName("an ordinary database is as it should be")
    void ordinary() {
        try (TestDatabase database = TestDatabase.create();
                PostgresLockBackend backend = database.builder().strict().build()) {
            grant(backend, newKey());

            assertThat(inspect(backend).values()).allMatch(finding -> finding.level() == Level.OK);
            assertThat(inspect(backend))
                    .containsOnlyKeys(
                            "postgres.synchronous_commit",
                            "postgres.fsync",
                            "postgres.unlogged",
                            "postgres.recovery",
                            "postgres.replication",
                            "postgres.clock",
                            "postgres.index",
                            "postgres.pool",
                            "postgres.counters");
            assertThat(inspect(backend).get("postgres.counters").message()).startsWith("1 ");
        }
    }

    @Test
    @DisplayName("tables that a crash empties, or that are not complete, are dangerous, and strict refuses them")
    void tables() {
        try (TestDatabase database = TestDatabase.create()) {
            PostgresLockBackend backend = database.builder().build();
            database.execute("DROP INDEX \"" + database.names.schema() + "\".syncguard_locks_expires_at_ms_idx");
            assertThat(level(backend, "postgres.index")).isEqualTo(Level.WARN);
            database.execute("ALTER TABLE {counters} SET UNLOGGED");
            assertThat(level(backend, "postgres.unlogged")).isEqualTo(Level.DANGER);
            database.execute("ALTER TABLE {locks} DROP CONSTRAINT syncguard_locks_lock_id_key");
            assertThat(level(backend, "postgres.index")).isEqualTo(Level.DANGER);

            LockException refused = failure(() -> database.builder().strict().build());
            assertThat(refused.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(refused).hasMessageContaining("postgres.unlogged").hasMessageContaining("SET LOGGED");

            database.execute("DROP TABLE {counters}");
            assertThat(level(backend, "postgres.counters")).isEqualTo(Level.UNKNOWN);
        }
    }

    @Test
    @DisplayName("settings that lose commits are found")
    void settings() {
        try (PostgresServer server = PostgresServer.start(Map.of("fsync", "off", "synchronous_commit", "off"));
                TestDatabase database = TestDatabase.create(server.url());
                PostgresLockBackend backend = database.builder().build()) {
            assertThat(level(backend, "postgres.fsync")).isEqualTo(Level.DANGER);
            assertThat(level(backend, "postgres.synchronous_commit")).isEqualTo(Level.WARN);
        }
    }

    @Test
    @DisplayName("a read-only session and a small pool are found; a pool of unknown size is said to be unknown")
    void sessionAndPool() {
        try (TestDatabase database = TestDatabase.create();
                HikariDataSource pool =
                        TestDatabase.pool(database.url + "&options=-c%20default_transaction_read_only=on", 2)) {
            PostgresLockBackend readOnly =
                    PostgresLockBackend.builder(pool).names(database.names).build();
            PostgresLockBackend plain = PostgresLockBackend.builder(TestDatabase.plain(database.url))
                    .names(database.names)
                    .build();

            assertThat(level(readOnly, "postgres.recovery")).isEqualTo(Level.DANGER);
            assertThat(level(readOnly, "postgres.pool")).isEqualTo(Level.WARN);
            assertThat(level(plain, "postgres.pool")).isEqualTo(Level.UNKNOWN);
        }
    }
}
