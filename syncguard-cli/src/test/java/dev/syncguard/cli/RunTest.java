package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code run} does with its command. */
class RunTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Cli cli;
    private Path mark;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
        mark = directory.resolve("mark");
    }

    private Cli.Running startAndAwaitMark(String... args) {
        Cli.Running running = cli.start(args);
        await().atMost(LONG).until(() -> Files.exists(mark));
        return running;
    }

    @ParameterizedTest
    @CsvSource({"exit 0,0", "exit 7,7", "kill -9 $$,137", "kill -TERM $$,143"})
    @DisplayName("exits as the command did, and the lock is free again")
    void exitCode(String script, int expected) {
        cli.run("run", "k", "--", "sh", "-c", script).exits(expected);
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("a command that does not exist or cannot be executed: 127 and 126, as in a shell")
    void noCommand() {
        assertThat(cli.run("run", "k", "--", "no-such-command-here").exits(127).err())
                .isEqualTo("syncguard: command not found\n");
        cli.run("run", "k", "--", "").exits(127);
        cli.run("run", "k", "--", directory.toString()).exits(126);
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("a script whose interpreter does not exist takes no lock, also not for a period")
    void noInterpreter() throws IOException {
        for (String line : new String[] {"#!/no/such/shell", "#!/bin/sh\r", "#! /no/such/shell -e"}) {
            Path script = Files.writeString(directory.resolve("script"), line + "\nexit 0\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
            assertThat(cli.run("run", "k", "--once-per", "1h", "--", script.toString())
                            .exits(126)
                            .err())
                    .contains("interpreter");
            cli.run("status", "k").exits(1);
        }
        Path script = Files.writeString(directory.resolve("script"), "#! /bin/sh -e\nexit 4\n");
        cli.run("run", "k", "--", script.toString()).exits(4);
    }

    @Test
    @DisplayName("a temporary folder that is missing is nothing to speak about")
    void noTemporaryFolder() {
        cli.with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=/no/such/directory");
        assertThat(cli.run("run", "k", "--", "true").exits(0).err()).isEmpty();
    }

    @Test
    @DisplayName("standard input and arguments reach the command as they are")
    void passedThrough() {
        Cli.Result result = cli.runWithInput(
                "some input",
                "run",
                "k",
                "--ttl",
                "5s",
                "--",
                "sh",
                "-c",
                "cat; printf '|%s' \"$@\"",
                "x",
                "--ttl",
                "ü");
        assertThat(result.exits(0).out()).isEqualTo("some input|--ttl|ü");
    }

    @Test
    @DisplayName("in the locale of cron keys arrive whole, and the command keeps that locale")
    void cron() {
        Cli.Result result = cli.with("LC_ALL", "C").run("run", "ключ", "--", "sh", "-c", "echo $SYNCGUARD_KEY $LC_ALL");
        assertThat(result.exits(0).out()).isEqualTo("ключ C\n");
    }

    @Test
    @DisplayName("in a UTF-8 locale that is not installed keys arrive whole as well")
    void missingLocale() {
        Cli.Result result =
                cli.with("LC_ALL", "xx_XX.UTF-8").run("run", "ключ", "--", "sh", "-c", "echo $SYNCGUARD_KEY $LC_ALL");
        assertThat(result.exits(0).out()).isEqualTo("ключ xx_XX.UTF-8\n");
    }

    @Test
    @DisplayName("eight at once on one key: never two together")
    void exclusion() throws IOException {
        Path counter = Files.writeString(directory.resolve("counter"), "0");
        List<Cli.Running> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(cli.start(
                    "run",
                    "k",
                    "--wait",
                    "50s",
                    "--",
                    "sh",
                    "-c",
                    "n=$(cat \"$DIR/counter\"); sleep 0.05; echo $((n + 1)) > \"$DIR/counter\""));
        }
        all.forEach(one -> one.await().exits(0));
        assertThat(counter).content().isEqualToIgnoringWhitespace("8");
    }

    @Test
    @DisplayName("the lock is extended while the command runs")
    void renewal() {
        Cli.Running running =
                startAndAwaitMark("run", "k", "--ttl", "3s", "--", "sh", "-c", "touch \"$DIR/mark\"; sleep 8; exit 4");
        await().atMost(LONG)
                .during(Duration.ofSeconds(5))
                .until(() -> cli.run("status", "k").code() == 0);
        running.await().exits(4);
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143", "HUP,129"})
    @DisplayName("a signal reaches the command, and the lock is released")
    void forwarded(String signal, int expected) {
        Cli.Running running = startAndAwaitMark("run", "k", "--", "sh", "-c", "touch \"$DIR/mark\"; sleep 30");
        running.signal(signal);
        running.await().exits(expected);
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("a command that handles the signal exits as it likes")
    void handled() {
        Cli.Running running = startAndAwaitMark(
                "run",
                "k",
                "--",
                "sh",
                "-c",
                "trap 'echo bye; exit 5' TERM; touch \"$DIR/mark\"; while :; do sleep 0.1; done");
        running.signal("TERM");
        assertThat(running.await().exits(5).out()).isEqualTo("bye\n");
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143"})
    @DisplayName("a signal ends the wait, and the command is not run")
    void interruptedWait(String signal, int expected) {
        String id = cli.run("acquire", "k", "--ttl", "10m").exits(0).out();
        Cli.Running waiting = cli.start("run", "k", "--wait", "50s", "--debug", "--", "touch", mark.toString());
        await().atMost(LONG).until(() -> waiting.process().isAlive() && waiting.handlesSignals());
        waiting.signal(signal);
        waiting.await().exits(expected);
        assertThat(mark).doesNotExist();
        cli.runWithInput(id, "release", "-").exits(0);
    }

    @Test
    @DisplayName("an interrupted acquire leaves no lock behind")
    void interruptedAcquire() {
        String id = cli.run("acquire", "k", "--ttl", "10m").exits(0).out();
        Cli.Running waiting = cli.start("acquire", "k", "--wait", "50s");
        await().atMost(LONG).until(waiting::handlesSignals);
        waiting.signal("TERM");
        assertThat(waiting.await().exits(143).out()).isEmpty();
        cli.runWithInput(id, "release", "-").exits(0);
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("waits for the holder, then runs")
    void waits() {
        String id = cli.run("acquire", "k", "--ttl", "10m").exits(0).out();
        Cli.Running waiting = cli.start("run", "k", "--wait", "50s", "--", "touch", mark.toString());
        await().atMost(LONG).until(waiting::handlesSignals);
        assertThat(mark).doesNotExist();
        cli.runWithInput(id, "release", "-").exits(0);
        waiting.await().exits(0);
        assertThat(mark).exists();
    }

    @Test
    @DisplayName("reports in JSON on standard error, because standard output is the command's")
    void json() {
        Cli.Result result = cli.run("run", "k", "--format", "json", "--", "echo", "mine");
        assertThat(result.exits(0).out()).isEqualTo("mine\n");
        assertThat(result.err())
                .isEqualTo("{\"ok\":true,\"exitCode\":0,\"fence\":\"000000000000001\",\"lost\":false}\n");
        assertThat(cli.run("run", "k", "--format", "json", "--", "/no/such/command")
                        .exits(127)
                        .err())
                .isEqualTo("""
                        {"ok":false,"error":"InvalidArgument","message":"command not found"}
                        syncguard: command not found
                        """);
    }
}
