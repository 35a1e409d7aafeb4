package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.FenceMode;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.testbed.PostgresReferenceClient;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.TcpProxy;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
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

    private static String fix(PostgresLockBackend backend, String id) {
        return inspect(backend).get(id).fix();
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
                            "postgres.labels",
                            "postgres.pool",
                            "postgres.counters",
                            "postgres.clients",
                            "postgres.collation",
                            "postgres.transactions",
                            "postgres.dead_rows");
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
            database.execute(fix(backend, "postgres.unlogged"));
            assertThat(level(backend, "postgres.unlogged"))
                    .as("the fix is a statement as it stands")
                    .isEqualTo(Level.OK);
            database.execute("ALTER TABLE {counters} SET UNLOGGED");
            database.execute("ALTER TABLE {locks} DROP CONSTRAINT syncguard_locks_lock_id_key");
            assertThat(fix(backend, "postgres.index"))
                    .isEqualTo("run PostgresSchema.create or schema.sql for " + database.names.quotedLocks() + " and "
                            + database.names.quotedCounters());
            assertThat(level(backend, "postgres.index")).isEqualTo(Level.DANGER);

            LockException refused = failure(() -> database.builder().strict().build());
            assertThat(refused.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(refused).hasMessageContaining("postgres.unlogged").hasMessageContaining("SET LOGGED");

            database.execute("DROP TABLE {counters}");
            assertThat(level(backend, "postgres.counters")).isEqualTo(Level.UNKNOWN);
        }
    }

    @Test
    @DisplayName("the first acquire warns of weaknesses, the next one not again")
    void warnsAfterFirstAcquire() {
        try (TestDatabase database = TestDatabase.create();
                Warnings warnings = new Warnings();
                PostgresLockBackend backend = database.builder().build()) {
            database.execute("ALTER TABLE {counters} SET UNLOGGED");
            backend.isLocked(newKey(), NONE);
            assertThat(warnings.containing("postgres.unlogged")).isEmpty();

            grant(backend, newKey());
            await().until(() -> !warnings.containing("postgres.unlogged").isEmpty());
            grant(backend, newKey());

            assertThat(warnings.containing("postgres.unlogged")).hasSize(1);
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
    @DisplayName("an asynchronous replica is found, and a backend that was pointed at one")
    void replication() {
        try (PostgresServer primary = PostgresServer.start(Map.of());
                PostgresServer replica = primary.replica("s1");
                TestDatabase database = TestDatabase.create(primary.url());
                PostgresLockBackend backend = database.builder().build();
                PostgresLockBackend there = PostgresLockBackend.builder(TestDatabase.plain(replica.url()))
                        .names(database.names)
                        .build()) {
            await().until(() -> level(backend, "postgres.replication") == Level.WARN);
            PostgresLockBackend floored =
                    database.builder().fenceMode(FenceMode.TIME_FLOORED).build();
            assertThat(fix(backend, "postgres.replication")).contains("TIME_FLOORED");
            assertThat(fix(floored, "postgres.replication")).isEqualTo("set synchronous_standby_names");
            assertThat(level(backend, "postgres.recovery")).isEqualTo(Level.OK);
            await().ignoreExceptions().until(() -> level(there, "postgres.recovery") == Level.DANGER);

            primary.set("synchronous_standby_names", "s1");
            await().until(() -> level(backend, "postgres.replication") == Level.OK);
            primary.set("synchronous_standby_names", "");
        }
    }

    @Test
    @DisplayName("a clock that jumped since the first look is found")
    void clock() {
        Pattern millis = Pattern.compile("\\d{13}");
        URI address = URI.create(PostgresServer.sharedUrl().substring("jdbc:".length()));
        try (TestDatabase database = TestDatabase.create();
                TcpProxy proxy = TcpProxy.to(address.getPort());
                PostgresLockBackend behind = PostgresLockBackend.builder(TestDatabase.plain(
                                PostgresServer.sharedUrl().replace(":" + address.getPort(), ":" + proxy.port())
                                        + "&binaryTransfer=false"))
                        .names(database.names)
                        .build()) {
            assertThat(level(behind, "postgres.clock")).isEqualTo(Level.OK);
            proxy.rewriteReplies(bytes -> millis.matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                    .replaceAll(found -> Long.toString(Long.parseLong(found.group()) + 60_000))
                    .getBytes(StandardCharsets.ISO_8859_1));

            assertThat(level(behind, "postgres.clock")).isEqualTo(Level.WARN);
        }
    }

    @Test
    @DisplayName("a million counters are found, one less is fine")
    void manyCounters() {
        try (TestDatabase database = TestDatabase.create();
                PostgresLockBackend backend = database.builder()
                        .commandTimeout(Duration.ofSeconds(30))
                        .build()) {
            database.execute(
                    "INSERT INTO {counters} SELECT 'fence:' || n, 1, NULL FROM generate_series(1, 999999) AS n");
            assertThat(level(backend, "postgres.counters")).isEqualTo(Level.OK);

            grant(backend, newKey());

            assertThat(level(backend, "postgres.counters")).isEqualTo(Level.WARN);
        }
    }

    @Test
    @DisplayName(
            "a read-only session and a small pool are found; the driver's own DataSource is none, another one unknown")
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
            assertThat(level(plain, "postgres.pool")).isEqualTo(Level.OK);
            DataSource hidden = (DataSource) Proxy.newProxyInstance(
                    DataSource.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, args) -> method.invoke(TestDatabase.plain(database.url), args));
            assertThat(level(
                            PostgresLockBackend.builder(hidden)
                                    .names(database.names)
                                    .build(),
                            "postgres.pool"))
                    .isEqualTo(Level.UNKNOWN);
        }
    }

    @Test
    @DisplayName("the effective synchronous_commit is judged where a standby is synchronous")
    void synchronousCommit() {
        Map<String, Level> expected = Map.of(
                "off", Level.WARN,
                "local", Level.WARN,
                "remote_write", Level.WARN,
                "on", Level.OK,
                "remote_apply", Level.OK);
        try (PostgresServer server = PostgresServer.start(Map.of());
                TestDatabase database = TestDatabase.create(server.url())) {
            PostgresLockBackend local = database.withSetting("synchronous_commit=local");
            assertThat(level(local, "postgres.synchronous_commit")).isEqualTo(Level.OK);

            server.set("synchronous_standby_names", "s1");
            await().until(() -> database.query("SHOW synchronous_standby_names").equals("s1"));
            assertThat(expected)
                    .allSatisfy((value, level) -> assertThat(level(
                                    database.withSetting("synchronous_commit=" + value), "postgres.synchronous_commit"))
                            .isEqualTo(level));
            server.set("synchronous_standby_names", "");
        }
    }

    @Test
    @DisplayName("traces of another library are dangerous for a backend that assumes that there is none")
    void otherLibrary() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                PostgresReferenceClient reference = new PostgresReferenceClient(
                        database.pool, database.names.quotedLocks(), database.names.quotedCounters())) {
            PostgresLockBackend assuming =
                    database.builder().assumeNoOtherLibrary().build();
            grant(assuming, newKey());
            assertThat(level(assuming, "postgres.clients")).isEqualTo(Level.OK);

            reference.acquire("theirs", 1000);

            assertThat(level(database.builder().build(), "postgres.clients")).isEqualTo(Level.OK);
            Finding finding = inspect(assuming).get("postgres.clients");
            assertThat(finding.level()).isEqualTo(Level.DANGER);
            database.execute(finding.fix().substring(finding.fix().indexOf("UPDATE")));
            assertThat(level(assuming, "postgres.clients")).isEqualTo(Level.OK);
        }
    }

    @Test
    @DisplayName(
            "keys in the order of a library are found, and the statement that is told fixes it under running clients")
    void collation() {
        try (TestDatabase database = TestDatabase.create()) {
            PostgresLockBackend backend = database.builder().build();
            database.execute("ALTER TABLE {locks} ALTER COLUMN key TYPE text COLLATE \"und-x-icu\"");
            database.execute("ALTER TABLE {counters} ALTER COLUMN fence_key TYPE text COLLATE \"und-x-icu\"");
            grant(backend, newKey());
            assertThat(level(backend, "postgres.index")).isEqualTo(Level.OK);
            assertThat(level(backend, "postgres.collation")).isEqualTo(Level.WARN);
            PostgresSchema.create(database.pool, database.names);

            assertThat(PostgresSchema.check(database.pool, database.names))
                    .hasSize(2)
                    .allSatisfy(entry -> database.execute(entry.substring(entry.indexOf("ALTER"))));

            assertThat(PostgresSchema.check(database.pool, database.names)).isEmpty();
            assertThat(level(backend, "postgres.collation")).isEqualTo(Level.OK);
            grant(backend, newKey());
        }
    }

    @Test
    @DisplayName("a long transaction and the dead rows that it keeps are found")
    void longTransaction() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                PostgresConnections connections = new PostgresConnections(database.pool, Duration.ofSeconds(30));
                StalledTransaction old = new StalledTransaction(
                        database, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT * FROM {locks}")) {
            PostgresDiagnostics strict =
                    new PostgresDiagnostics(connections, database.builder(), Duration.ofSeconds(1));
            database.execute("INSERT INTO {locks} SELECT 'k' || n, 'i' || n, 0, 0, '0', 'k' FROM"
                    + " generate_series(1, 30000) AS n");
            database.execute("DELETE FROM {locks}");

            await().until(() -> inspect(strict, "postgres.dead_rows").level() == Level.WARN);
            await().until(() -> inspect(strict, "postgres.transactions").level() == Level.WARN);
            old.commit();
            await().until(() -> inspect(strict, "postgres.transactions").level() == Level.OK);
            database.execute("VACUUM {locks}");
            await().until(() -> inspect(strict, "postgres.dead_rows").level() == Level.OK);
        }
    }

    private static Finding inspect(PostgresDiagnostics diagnostics, String id) {
        return diagnostics.inspect(NONE).stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** The warnings of the library while it is open. */
    private static final class Warnings extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger("dev.syncguard");
        private final List<String> messages = new CopyOnWriteArrayList<>();

        private Warnings() {
            logger.addHandler(this);
        }

        private List<String> containing(String text) {
            return messages.stream().filter(message -> message.contains(text)).toList();
        }

        @Override
        public void publish(LogRecord entry) {
            messages.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }
}
