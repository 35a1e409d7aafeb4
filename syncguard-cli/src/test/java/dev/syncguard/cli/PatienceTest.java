package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.testbed.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for a lock on a store that fails for a while. */
class PatienceTest {

    @TempDir
    Path directory;

    @Test
    @DisplayName("a store that is down when the wait begins is waited for")
    void down() {
        try (RedisServer redis = RedisServer.start()) {
            Cli cli = Cli.on(redis.url());
            redis.kill();
            Cli.Running waiting = cli.start(
                    "run",
                    "k",
                    "--wait",
                    "50s",
                    "--",
                    "touch",
                    directory.resolve("ran").toString());
            await().atMost(Duration.ofSeconds(30)).until(waiting::handlesSignals);
            assertThat(waiting.process().isAlive()).isTrue();
            redis.restart();
            waiting.await().exits(0);
            assertThat(directory.resolve("ran")).exists();
        }
    }

    @Test
    @DisplayName("a store that fails during the wait is waited for")
    void hiccup() {
        try (RedisServer redis = RedisServer.start()) {
            Cli cli = Cli.on(redis.url());
            String id = cli.run("acquire", "k", "--ttl", "10m").exits(0).out();
            Cli.Running waiting = cli.start("acquire", "k", "--wait", "50s");
            await().atMost(Duration.ofSeconds(30)).until(waiting::handlesSignals);
            redis.kill();
            redis.restart();
            cli.runWithInput(id, "release", "-");
            waiting.await().exits(0);
        }
    }

    @Test
    @DisplayName("--fail-fast gives up at once, and a store that stays down is exit 3, not busy")
    void gaveUp() {
        Cli nowhere = Cli.on("redis://127.0.0.1:1");
        long start = System.nanoTime();
        nowhere.run("run", "k", "--wait", "50s", "--fail-fast", "--", "true").exits(3);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
        assertThat(nowhere.run("run", "k", "--wait", "1s", "--", "true")
                        .exits(3)
                        .err())
                .startsWith("syncguard: ServiceUnavailable");
        Cli.Running waiting = nowhere.start("run", "k", "--wait", "50s", "--", "true");
        await().atMost(Duration.ofSeconds(30)).until(waiting::handlesSignals);
        waiting.signal("TERM");
        waiting.await().exits(143);
        assertThat(Files.exists(directory.resolve("ran"))).isFalse();
    }

    @Test
    @DisplayName("--once-per waits for a store that fails, and not with --no-wait")
    void once() {
        Cli nowhere = Cli.on("redis://127.0.0.1:1");
        long start = System.nanoTime();
        nowhere.run("run", "k", "--once-per", "1h", "--", "true").exits(3);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(5));
        nowhere.run("run", "k", "--once-per", "1h", "--no-wait", "--", "true").exits(3);
    }
}
