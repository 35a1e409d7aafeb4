package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.cli.Cli.Result;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.TlsCertificates;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Settings of the stores, from the command line to real servers. */
class StoreSettingsTest {

    private static final long YEAR_2020_MS = 1_577_836_800_000L;

    private static long fence(Cli cli, String... options) {
        String[] words = new String[options.length + 6];
        System.arraycopy(new String[] {"run", "k"}, 0, words, 0, 2);
        System.arraycopy(options, 0, words, 2, options.length);
        System.arraycopy(new String[] {"--", "sh", "-c", "echo $SYNCGUARD_FENCE"}, 0, words, options.length + 2, 4);
        return Long.parseLong(cli.run(words).exits(0).out().strip());
    }

    private static String fixes(Result doctor) {
        StringBuilder fixes = new StringBuilder();
        for (JsonNode finding : doctor.json().get("findings")) {
            fixes.append(finding.get("fix").asText()).append('\n');
        }
        return fixes.toString();
    }

    @Test
    @DisplayName("Redis: fence mode, prefix, acknowledgements; each fix of the doctor is a form of the command line")
    void redis() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()))) {
            Cli cli = Cli.on(primary.url());
            assertThat(fence(cli)).isEqualTo(1);
            assertThat(fence(cli, "--prefix", "other")).isEqualTo(1);
            assertThat(fence(Cli.on(primary.url() + "?prefix=other"))).isEqualTo(2);
            assertThat(fence(cli, "--fence-mode", "time-floored")).isGreaterThan(YEAR_2020_MS);
            assertThat(fence(Cli.on(primary.url() + "?fenceMode=time-floored&prefix=third")))
                    .isGreaterThan(YEAR_2020_MS);

            Result danger =
                    cli.run("doctor", "--replica-acks", "2", "--format", "json").exits(1);
            assertThat(danger.out()).contains("2 must acknowledge");
            assertThat(fixes(danger)).contains("--fence-mode time-floored").doesNotContain("FenceMode");
            await().atMost(Duration.ofSeconds(30)) // until the replica has connected
                    .untilAsserted(() -> assertThat(fixes(cli.run("doctor", "--format", "json")))
                            .contains("--replica-acks")
                            .doesNotContain("replicaAcks"));
            cli.run("acquire", "k", "--replica-acks=2").exits(3);

            assertThat(replica.port()).isPositive();
        }
    }

    @Test
    @DisplayName("Redis with TLS: the CA, the host name, and neither")
    void redisTls() {
        TlsCertificates certificates = TlsCertificates.forHost("localhost");
        try (RedisServer server = RedisServer.startTls(certificates)) {
            String ca = certificates.certificate().toString();
            String url = "rediss://127.0.0.1:" + server.port();
            Cli cli = Cli.on(url);
            cli.run("status", "k").exits(3);
            cli.run("status", "k", "--tls-verify", "none").exits(1);
            cli.run("status", "k", "--tls-ca", ca).exits(3); // the certificate is for another name
            Cli.on(url + "?verifyPeer=NONE").run("status", "k", "--tls-ca", ca).exits(3);
            cli.run("status", "k", "--tls-ca", ca, "--tls-verify", "ca").exits(1);
            Cli.on("rediss://localhost:" + server.port() + "?tlsCa=" + ca.replace(" ", "%20"))
                    .run("status", "k")
                    .exits(1);
        }
    }

    @Test
    @DisplayName("PostgreSQL: tables, fence mode and TLS, and the schema for other names")
    void postgres() throws SQLException {
        try (PostgresServer server = PostgresServer.start(Map.of())) {
            String url = server.url() + "&commandTimeout=20s"; // the first connection of a busy machine
            Cli cli = Cli.on(url);
            Result missing = cli.run("run", "k", "--fail-fast", "--", "true").exits(3);
            assertThat(missing.err())
                    .contains("syncguard schema postgresql | psql")
                    .doesNotContain("PostgresSchema");
            assertThat(fixes(cli.run("doctor", "--format", "json")))
                    .contains("syncguard schema postgresql | psql")
                    .doesNotContain("PostgresSchema");

            String[] names = {"--schema", "locks", "--lock-table", "held", "--counter-table", "fences"};
            execute(
                    server,
                    cli.run("schema", "postgresql", names[0], names[1], names[2], names[3], names[4], names[5])
                            .exits(0)
                            .out());
            assertThat(fence(cli, names)).isEqualTo(1);
            Cli byUrl = Cli.on(url + "&schema=locks&lockTable=held&counterTable=fences");
            assertThat(fence(byUrl)).isEqualTo(2);
            assertThat(fence(byUrl, "--fence-mode", "time-floored", "--assume-no-other-library"))
                    .isGreaterThan(YEAR_2020_MS);
            assertThat(byUrl.run("status", "k", "--tls-verify", "none").exits(2).err())
                    .contains("offers no TLS");

            byUrl.run("doctor").exits(0);
        }
    }

    private static void execute(PostgresServer server, String script) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.url());
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }

    @Test
    @DisplayName("SQLite and Firestore: fence mode; collections, mixed fleet")
    void others(@TempDir Path directory) {
        String file = "sqlite:" + directory.resolve("locks.db");
        assertThat(fence(Cli.on(file + "?commandTimeout=10s"))).isEqualTo(1);
        assertThat(fence(Cli.on(file), "--fence-mode=time-floored")).isGreaterThan(YEAR_2020_MS);
        assertThat(Cli.on(file)
                        .run("status", "k", "--replica-acks", "1")
                        .exits(2)
                        .err())
                .contains("that is for redis");
        assertThat(Cli.on(file + "?x=1").run("status", "k").exits(2).err())
                .as("names as they stand in URLs")
                .contains("has fenceMode, commandTimeout");
        try (FirestoreServer server = FirestoreServer.start()) {
            Cli cli = Cli.on("firestore://" + server.projectId() + "?lockTable=mine&counterTable=numbers")
                    .with("FIRESTORE_EMULATOR_HOST", server.hostAndPort());
            assertThat(fence(cli)).isEqualTo(1);
            assertThat(cli.run("acquire", "a/b", "--mixed-fleet").exits(2).err())
                    .doesNotContain("a/b");
        }
    }
}
