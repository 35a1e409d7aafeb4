package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command never outlives its lease for long, whatever happens to the process that watches over it. */
class LostLeaseTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    /** Writes the ids of the command and of a child of it, neither of which cares for TERM; asks for no shell's help. */
    private static final String STUBBORN =
            "trap 'echo term >> \"$DIR/log\"' TERM; (trap '' TERM; exec sleep 60) & echo $$ $! > \"$DIR/pids.new\";"
                    + " mv \"$DIR/pids.new\" \"$DIR/pids\"; while :; do sleep 0.1; done";

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
    }

    private List<Long> pids() throws IOException {
        Path file = directory.resolve("pids");
        await().atMost(LONG).until(() -> Files.exists(file));
        return List.of(Files.readString(file).strip().split(" ", -1)).stream()
                .map(Long::valueOf)
                .toList();
    }

    private static void awaitDeath(List<Long> pids) {
        await().atMost(LONG).until(() -> pids.stream().noneMatch(Cli::isAlive));
    }

    @Test
    @DisplayName(
            "frozen past the ttl: the command does not survive, nor what it started, and the thawed process says so")
    void frozen() throws IOException {
        Cli.Running running = cli.start("run", "k", "--ttl", "4s", "--", "sh", "-c", STUBBORN);
        List<Long> pids = pids();
        running.signal("STOP");
        await().atMost(LONG).until(() -> cli.run("acquire", "k", "--ttl", "10m").code() == 0);

        awaitDeath(pids); // by the watchdog: the process that holds the lock is still frozen
        running.signal("CONT");
        // "is lost" or "was lost": whether it looks at its lease or at the dead command first is a race.
        assertThat(running.await().exits(79).err())
                .containsPattern("the lock \"k\" (is|was) lost\\b.*\\(syncguard was paused for ")
                .as("one line says it")
                .hasLineCount(1);
        cli.run("status", "k").exits(0); // the lock of the next holder is untouched
    }

    @Test
    @DisplayName("the process is killed (kill -9): the command is ended as well")
    void killed() throws IOException {
        Cli.Running running = cli.start("run", "k", "--ttl", "4s", "--", "sh", "-c", STUBBORN);
        List<Long> pids = pids();
        running.signal("KILL");
        awaitDeath(pids);
        running.await().exits(137);
    }

    @Test
    @DisplayName("an operator releases the lock: the command is killed at the next renewal")
    void takenAway() throws IOException {
        Cli.Running running = cli.start("run", "k", "--ttl", "6s", "--", "sh", "-c", STUBBORN);
        List<Long> pids = pids();
        String id = cli.run("lookup", "k", "--raw", "--format", "json")
                .exits(0)
                .json()
                .get("lockId")
                .asText();
        cli.runWithInput(id, "release", "-").exits(0);
        awaitDeath(pids);
        assertThat(running.await().exits(79).err())
                .contains("the lock \"k\" is lost: the command is killed (the store no longer has it");
    }

    @Test
    @DisplayName("--on-lost warn: the command goes on, and a line says so")
    void warned() throws IOException {
        Cli.Running running = cli.start(
                "run",
                "k",
                "--ttl",
                "6s",
                "--on-lost",
                "warn",
                "--",
                "sh",
                "-c",
                "echo $$ $$ > \"$DIR/pids\"; until [ -e \"$DIR/end\" ]; do sleep 0.1; done; exit 3");
        pids();
        String id = cli.run("lookup", "k", "--raw", "--format", "json")
                .exits(0)
                .json()
                .get("lockId")
                .asText();
        cli.runWithInput(id, "release", "-").exits(0);
        await().atMost(LONG).until(() -> Cli.read(running.err()).contains("goes on without its lock"));
        Files.createFile(directory.resolve("end"));
        running.await().exits(3);
    }

    @Test
    @DisplayName("the store stops answering: TERM a grace period before the deadline, KILL at the deadline")
    void storeFrozen() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            Cli onRedis = Cli.on(redis.url()).with("DIR", directory.toString());
            Cli.Running running = onRedis.start("run", "k", "--ttl", "6s", "--grace", "2s", "--", "sh", "-c", STUBBORN);
            List<Long> pids = pids();
            redis.freeze();
            try {
                await().atMost(LONG).until(() -> Files.exists(directory.resolve("log")));
                assertThat(Cli.isAlive(pids.get(0)))
                        .as("asked to end, not killed yet")
                        .isTrue();
                awaitDeath(pids);
                running.await().exits(79);
            } finally {
                redis.thaw();
            }
            assertThat(Cli.read(running.err()))
                    .contains("the lock \"k\" could not be extended and ends in ")
                    .contains("the lock \"k\" is lost: the command is killed (renewals had been failing for ")
                    .doesNotContain("autoExtend");
        }
    }

    @Test
    @DisplayName("asked to end because the lock cannot be kept: 79, however politely the command ends")
    void endsInTime() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            Cli onRedis = Cli.on(redis.url()).with("DIR", directory.toString());
            Cli.Running running = onRedis.start(
                    "run",
                    "k",
                    "--ttl",
                    "6s",
                    "--grace",
                    "3s",
                    "--format",
                    "json",
                    "--",
                    "sh",
                    "-c",
                    "trap 'exit 0' TERM; echo $$ $$ > \"$DIR/pids\"; while :; do sleep 0.1; done");
            pids();
            redis.freeze();
            try {
                assertThat(running.await().exits(79).err()).contains("\"exitCode\":79", "\"lost\":true");
            } finally {
                redis.thaw();
            }
        }
    }
}
