package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayName("syncguard doctor")
class DoctorTest {

    private static JsonNode judge(Cli cli, int code) {
        return cli.run("doctor", "--format", "json").exits(code).json();
    }

    private static String verdict(JsonNode answer) {
        return answer.get("verdict").asText();
    }

    /** The findings that are not ok, with their levels. */
    private static Map<String, String> others(JsonNode answer) {
        Map<String, String> levels = new TreeMap<>();
        answer.get("findings").forEach(finding -> {
            if (!finding.get("level").asText().equals("ok")) {
                levels.put(finding.get("id").asText(), finding.get("level").asText());
            }
        });
        return levels;
    }

    @Test
    @DisplayName("finds a sound Redis ok, and one without an append-only file dangerous")
    void redis() {
        try (RedisServer sound = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisServer forgetful = RedisServer.start("--appendonly", "no")) {
            JsonNode answer = judge(Cli.on(sound.url()), 0);
            assertThat(others(answer)).isEmpty();
            assertThat(verdict(answer)).isEqualTo("ok");

            assertThat(verdict(judge(Cli.on(forgetful.url()), 1))).isEqualTo("danger");
        }
    }

    @Test
    @DisplayName("what cannot be known says nothing against a store, unless it shall")
    void unknown() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-info", "-config");
            Cli cli = Cli.on(server.url().replace("://", "://app:pw@"));
            JsonNode answer = judge(cli, 0);
            assertThat(others(answer))
                    .containsEntry("redis.persistence", "unknown")
                    .doesNotContainValue("warn");
            assertThat(verdict(answer)).isEqualTo("ok");
            assertThat(cli.run("doctor").exits(0).out())
                    .contains("unknown  redis.persistence")
                    .endsWith("verdict: ok\n");
            assertThat(cli.run("doctor", "--strict").exits(1).out()).endsWith("verdict: warn\n");
        }
    }

    @Test
    @DisplayName("finds a sound PostgreSQL ok, also strictly, and one that loses commits dangerous")
    void postgres() {
        try (PostgresServer sound = PostgresServer.start(Map.of());
                PostgresServer forgetful = PostgresServer.start(Map.of("fsync", "off"))) {
            createTables(sound);
            createTables(forgetful);

            JsonNode answer = judge(Cli.on(sound.url()), 0);
            assertThat(others(answer)).isEmpty();
            assertThat(verdict(answer)).isEqualTo("ok");
            assertThat(Cli.on(sound.url()).run("doctor", "--strict").exits(0).out())
                    .endsWith("verdict: ok\n");

            assertThat(verdict(judge(Cli.on(forgetful.url()), 1))).isEqualTo("danger");
        }
    }

    private static void createTables(PostgresServer server) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.url());
        PostgresSchema.create(source, PostgresNames.defaults());
    }

    @Test
    @DisplayName("finds a sound SQLite file ok")
    void sqlite(@TempDir Path directory) {
        Cli cli = Cli.on("sqlite:" + directory.resolve("locks.db"));
        cli.run("run", "a:key", "--", "true").exits(0);

        JsonNode answer = judge(cli, 0);
        assertThat(others(answer)).isEmpty();
        assertThat(verdict(answer)).isEqualTo("ok");
    }

    @Test
    @DisplayName("warns of a Firestore only that it is an emulator, and of one that does not answer")
    void firestore() {
        Cli cli;
        try (FirestoreServer server = FirestoreServer.start()) {
            cli = Cli.on("firestore://" + server.projectId()).with("FIRESTORE_EMULATOR_HOST", server.hostAndPort());
            JsonNode answer = judge(cli, 0);
            assertThat(others(answer)).isEqualTo(Map.of("firestore.emulator", "warn"));
            assertThat(verdict(answer)).isEqualTo("warn");
        }
        assertThat(others(judge(cli, 0))).containsEntry("firestore.reachable", "warn");
    }
}
