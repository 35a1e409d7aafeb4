package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/guide/cron.md: one job, many machines. */
@Tag("once")
class CronTest {

    private static final int MACHINES = 8;
    private static final String JOB = "echo \"$SYNCGUARD_FENCE\" >> \"$DIR/runs\"";

    enum Store {
        SQLITE,
        REDIS
    }

    private static RedisServer redis;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private Cli cli(Store store) {
        Cli cli = store == Store.REDIS ? Cli.on(redis.url()) : Cli.onFile(directory);
        return cli.with("DIR", directory.toString());
    }

    private List<String> runs() throws IOException {
        Path runs = directory.resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs) : List.of();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a short job that many machines start with skew runs once, and the others say nothing")
    void onceOnManyMachines(Store store) throws Exception {
        List<Cli.Running> machines = new ArrayList<>();
        for (int i = 0; i < MACHINES; i++) {
            machines.add(cli(store).start("run", "nightly", "--once-per", "1h", "--", "sh", "-c", JOB));
            Thread.sleep(i % 3 * 400L); // the skew
        }
        for (Cli.Running machine : machines) {
            Cli.Result result = machine.await().exits(0);
            assertThat(result.out() + result.err()).isEmpty();
        }
        assertThat(runs()).hasSize(1);
        cli(store).run("status", "nightly").exits(0);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("it runs again in the next period")
    void nextPeriod(Store store) throws Exception {
        Cli cli = cli(store);
        cli.run("run", "k", "--once-per", "2s", "--", "sh", "-c", JOB).exits(0);
        await().atMost(Duration.ofSeconds(40)).until(() -> {
            cli.run("run", "k", "--once-per", "2s", "--", "sh", "-c", JOB).exits(0);
            return runs().size() == 2;
        });
        assertThat(runs()).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("a job that fails has had its turn, unless it may be tried again")
    void failure() throws Exception {
        Cli cli = cli(Store.SQLITE);
        cli.run("run", "k", "--once-per", "1h", "--", "sh", "-c", JOB + "; exit 7")
                .exits(7);
        cli.run("run", "k", "--once-per", "1h", "--", "sh", "-c", JOB).exits(0);
        assertThat(runs()).hasSize(1);

        cli.run("run", "again", "--once-per", "1h", "--retry-on-failure", "--", "sh", "-c", JOB + "; exit 7")
                .exits(7);
        cli.run("status", "again").exits(1);
        cli.run("run", "again", "--once-per", "1h", "--retry-on-failure", "--", "sh", "-c", JOB)
                .exits(0);
        cli.run("status", "again").exits(0);
        assertThat(runs()).hasSize(3);
    }

    @Test
    @DisplayName("--hold-at-least keeps others out for that time, as any held lock does")
    void holdAtLeast() {
        Cli cli = cli(Store.SQLITE);
        cli.run("run", "k", "--hold-at-least", "2s", "--", "true").exits(0);
        cli.run("run", "k", "--no-wait", "--", "true").exits(75);
        cli.run("run", "k", "--wait", "40s", "--", "true").exits(0);
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("the lock stays for the period if syncguard is killed with its command")
    void killed() throws IOException {
        Cli cli = cli(Store.SQLITE);
        Cli.Running running = cli.start(
                "run", "k", "--ttl", "2s", "--once-per", "1h", "--", "sh", "-c", "touch \"$DIR/mark\"; sleep 60");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(directory.resolve("mark")));
        running.process().destroyForcibly();
        await().during(Duration.ofSeconds(4))
                .atMost(Duration.ofSeconds(30))
                .until(() -> cli.run("status", "k").code() == 0);
        cli.run("run", "k", "--once-per", "1h", "--", "sh", "-c", JOB).exits(0);
        assertThat(runs()).isEmpty();
    }

    @Test
    @DisplayName("JSON says that it was skipped; a store that fails is a failure")
    void json() {
        Cli cli = cli(Store.SQLITE);
        cli.run("run", "k", "--once-per", "1h", "--", "true").exits(0);
        Cli.Result skipped = cli.run("run", "k", "--once-per", "1h", "--format", "json", "--", "true")
                .exits(0);
        assertThat(skipped.err()).isEqualTo("{\"ok\":true,\"skipped\":true}\n");
        assertThat(skipped.out()).isEmpty();
        Cli.on("redis://127.0.0.1:1")
                .run("run", "k", "--once-per", "1h", "--", "true")
                .exits(3);
    }

    @Test
    @DisplayName("options that contradict each other are refused before anything runs")
    void usage() throws IOException {
        Cli cli = cli(Store.SQLITE);
        cli.run("run", "k", "--once-per", "1h", "--hold-at-least", "1m", "--", "sh", "-c", JOB)
                .exits(2);
        cli.run("run", "k", "--once-per", "1h", "--wait", "1m", "--", "sh", "-c", JOB)
                .exits(2);
        cli.run("run", "k", "--once-per", "1ms", "--", "sh", "-c", JOB).exits(2);
        cli.run("run", "k", "--retry-on-failure", "--", "sh", "-c", JOB).exits(2);
        cli.run("run", "k", "--hold-at-least", "0s", "--", "sh", "-c", JOB).exits(2);
        assertThat(runs()).isEmpty();
    }
}
