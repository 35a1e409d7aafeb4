package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.Lease;
import dev.syncguard.SyncGuard;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.firestore.FirestoreServer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** One day in the life of a lock, the same on every store. */
class EveryStoreTest {

    enum Store {
        SQLITE,
        REDIS,
        POSTGRESQL,
        FIRESTORE
    }

    @TempDir
    static Path directory;

    private static RedisServer redis;
    private static FirestoreServer firestore;

    private final String key = "day:" + UUID.randomUUID();

    @BeforeAll
    static void servers() {
        redis = RedisServer.start();
        firestore = FirestoreServer.start();
        PostgresSchema.create(postgres(), PostgresNames.defaults());
    }

    @AfterAll
    static void stop() {
        redis.close();
        firestore.close();
    }

    private static PGSimpleDataSource postgres() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.sharedUrl());
        return source;
    }

    private static String url(Store store) {
        return switch (store) {
            case SQLITE -> "sqlite:" + directory.resolve("locks.db");
            case REDIS -> redis.url();
            case POSTGRESQL -> PostgresServer.sharedUrl();
            case FIRESTORE -> "firestore://" + firestore.projectId();
        };
    }

    private static Cli cli(Store store) {
        return Cli.on(url(store)).with("FIRESTORE_EMULATOR_HOST", firestore.hostAndPort());
    }

    private static Firestore firestoreClient() {
        return FirestoreOptions.newBuilder()
                .setProjectId(firestore.projectId())
                .setEmulatorHost(firestore.hostAndPort())
                .build()
                .getService();
    }

    private static LockBackend backend(Store store) {
        return switch (store) {
            case SQLITE -> SqliteLockBackend.open(directory.resolve("locks.db"));
            case REDIS -> RedisLockBackend.connect(redis.url());
            case POSTGRESQL -> PostgresLockBackend.builder(postgres()).build();
            case FIRESTORE -> FirestoreLockBackend.builder(firestoreClient()).build();
        };
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FIRESTORE") // the same way in; its client starts slowly
    @DisplayName("acquire, look, extend, release: answers and exit codes")
    void byHand(Store store) {
        Cli cli = cli(store);
        assertThat(cli.run("status", key).exits(1).out()).isEqualTo("free\n");

        JsonNode taken = cli.run("acquire", key, "--ttl", "10m", "--format", "json")
                .exits(0)
                .json();
        assertThat(taken.get("ok").asBoolean()).isTrue();
        assertThat(taken.get("fence").asText()).isEqualTo("000000000000001");
        String id = taken.get("lockId").asText();

        assertThat(cli.run("status", key, "--format", "json").exits(0).out()).isEqualTo("{\"locked\":true}\n");
        assertThat(cli.run("acquire", key, "--format", "json").exits(1).out())
                .isEqualTo("{\"ok\":false,\"reason\":\"locked\"}\n");
        assertThat(cli.run("run", key, "--no-wait", "--", "touch", "never")
                        .exits(75)
                        .out())
                .isEmpty();

        JsonNode found = cli.runWithInput(id + "\n", "lookup", "--id", "-", "--raw", "--format", "json")
                .exits(0)
                .json();
        assertThat(found.get("found").asBoolean()).isTrue();
        assertThat(found.get("key").asText()).isEqualTo(key);
        assertThat(found.get("lockId").asText()).isEqualTo(id);
        assertThat(found.get("expiresAtMs")).isEqualTo(taken.get("expiresAtMs"));
        String hashes = cli.run("lookup", key, "--format", "json").exits(0).out();
        assertThat(hashes)
                .contains(found.get("keyHash").asText())
                .doesNotContain(key)
                .doesNotContain(id);
        assertThat(cli.run("ls", "--format", "json").exits(0).out()).contains(hashes);

        JsonNode extended = cli.runWithInput(id, "extend", "-", "--ttl", "20m", "--format", "json")
                .exits(0)
                .json();
        assertThat(extended.get("expiresAtMs").asLong())
                .isGreaterThan(taken.get("expiresAtMs").asLong());
        assertThat(cli.runWithInput(id, "release", "-").exits(0).out()).isEqualTo("released\n");
        assertThat(cli.run("release", id, "--format", "json").exits(1).out()).isEqualTo("{\"ok\":false}\n");
        assertThat(cli.run("extend", id, "--format", "json").exits(1).out()).isEqualTo("{\"ok\":false}\n");
        assertThat(cli.run("lookup", key, "--format", "json").exits(1).out()).isEqualTo("{\"found\":false}\n");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an operator sees who holds a lock, unless the holder does not say")
    void whoHolds(Store store) {
        Cli cli = cli(store);
        cli.run("acquire", key, "--ttl", "10m").exits(0);
        String holder = cli.run("lookup", key, "--format", "json")
                .exits(0)
                .json()
                .get("label")
                .asText();
        String user = System.getProperty("user.name");
        assertThat(holder).matches(".+:\\d+:" + (user.equals("?") ? "\\d+" : Pattern.quote(user)));
        assertThat(cli.run("lookup", key).exits(0).out()).contains("held by       " + holder + "\n");
        assertThat(cli.run("ls").exits(0).out()).contains("WHO\n").contains("  " + holder + "\n");
        assertThat(cli.run("ls", "--format", "json").exits(0).out()).contains("\"label\":\"" + holder + "\"");

        cli.run("acquire", key + "1", "--ttl", "10m", "--label", "nightly \"x\" of 漢")
                .exits(0);
        assertThat(cli.run("lookup", key + "1").exits(0).out()).contains("held by       nightly \"x\" of 漢\n");
        cli.run("acquire", key + "2", "--ttl", "10m", "--no-label").exits(0);
        assertThat(cli.run("lookup", key + "2", "--format", "json")
                        .exits(0)
                        .json()
                        .has("label"))
                .isFalse();
        cli.run("acquire", key + "3", "--label", "a\u202Eb").exits(2);
        cli.run("acquire", key + "3", "--label", "a", "--no-label").exits(2);
        cli.run("status", key + "3").exits(1);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("run and a Java service exclude each other; the command gets the next fence")
    void besideJava(Store store) {
        Cli cli = cli(store);
        try (SyncGuard guard = SyncGuard.of(backend(store))) {
            try (Lease lease = guard.acquire(key)) {
                cli.run("run", key, "--no-wait", "--", "false").exits(75);
                assertThat(lease.isValid()).isTrue();
            }
            Cli.Result result = cli.run(
                    "run",
                    key,
                    "--",
                    "sh",
                    "-c",
                    "echo $SYNCGUARD_KEY $SYNCGUARD_FENCE; \"$SG\" status \"$SYNCGUARD_KEY\"");
            assertThat(result.exits(0).out()).isEqualTo(key + " 000000000000002\nlocked\n");
            assertThat(guard.isLocked(key)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FIRESTORE") // the same way in; its client starts slowly
    @DisplayName("fence raise only ever raises; doctor judges the store")
    void repair(Store store) {
        Cli cli = cli(store);
        assertThat(cli.run("fence", "raise", key, "--to", "41", "--yes", "--format", "json")
                        .exits(0)
                        .out())
                .isEqualTo("{\"ok\":true,\"fence\":\"000000000000041\"}\n");
        assertThat(cli.run("fence", "raise", key, "--to", "7", "-y").exits(0).out())
                .contains("000000000000041");
        assertThat(cli.run("run", key, "--", "sh", "-c", "echo $SYNCGUARD_FENCE")
                        .exits(0)
                        .out())
                .isEqualTo("000000000000042\n");

        Cli.Result doctor = cli.run("doctor", "--format", "json");
        String verdict = doctor.json().get("verdict").asText();
        assertThat(verdict).isIn("ok", "warn", "danger");
        assertThat(doctor.code()).isEqualTo(verdict.equals("danger") ? 1 : 0);
        assertThat(doctor.json().get("findings"))
                .isNotEmpty()
                .allSatisfy(finding ->
                        assertThat(finding.fieldNames()).toIterable().containsExactly("id", "level", "message", "fix"));
    }
}
