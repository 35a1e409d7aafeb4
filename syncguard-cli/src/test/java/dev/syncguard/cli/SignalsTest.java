package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals that have nothing to do with the lock, and what else the command must not notice. */
class SignalsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
    }

    private void awaitMark() {
        await().atMost(LONG).until(() -> Files.exists(directory.resolve("mark")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"USR1", "USR2"})
    @DisplayName("USR1 and USR2 go to the command")
    void forwarded(String signal) {
        Cli.Running running = cli.start(
                "run",
                "k",
                "--",
                "sh",
                "-c",
                "trap 'echo got; exit 6' " + signal + "; touch \"$DIR/mark\"; while :; do sleep 0.1; done");
        awaitMark();
        running.signal(signal);
        assertThat(running.await().exits(6).out()).isEqualTo("got\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"USR1", "USR2"})
    @DisplayName("they do not end the wait, and are not kept for the command")
    void whileWaiting(String signal) {
        String id = cli.run("acquire", "k", "--ttl", "10m").exits(0).out();
        Cli.Running waiting = cli.start("run", "k", "--wait", "50s", "--", "true");
        await().atMost(LONG).until(waiting::handlesSignals);
        waiting.signal(signal);
        cli.runWithInput(id, "release", "-").exits(0);
        waiting.await().exits(0);
    }

    @Test
    @DisplayName("QUIT leaves the output of the command alone")
    void quit() throws IOException {
        Cli.Running running = cli.start(
                "run",
                "k",
                "--",
                "sh",
                "-c",
                "echo mine; touch \"$DIR/mark\"; until [ -e \"$DIR/end\" ]; do sleep 0.1; done");
        awaitMark();
        running.signal("QUIT");
        cli.run("status", "k").exits(0); // takes longer than a thread dump
        Files.createFile(directory.resolve("end"));
        Cli.Result result = running.await().exits(0);
        assertThat(result.out()).isEqualTo("mine\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    @DisplayName("the store's password is not in the environment of the command")
    void password() {
        assertThat(cli.with("SYNCGUARD_PASSWORD", "topsecret")
                        .run("run", "k", "--", "env")
                        .exits(0)
                        .out())
                .doesNotContain("topsecret", "SYNCGUARD_PASSWORD")
                .contains("SYNCGUARD_FENCE=");
    }

    @Test
    @DisplayName("options for the JVM count without a line about them, and the command gets them as they were")
    void javaOptions() {
        String options = "-Dsyncguard.test='a b' -Xss512k";
        Cli.Result result = cli.with("JAVA_TOOL_OPTIONS", options)
                .with("JDK_JAVA_OPTIONS", "-Dx=1")
                .with("_JAVA_OPTIONS", "-Dy=1")
                .run("run", "k", "--", "sh", "-c", "echo $JAVA_TOOL_OPTIONS $JDK_JAVA_OPTIONS $_JAVA_OPTIONS");
        assertThat(result.exits(0).out()).isEqualTo(options + " -Dx=1 -Dy=1\n");
        assertThat(result.err()).isEmpty();
        assertThat(cli.with("JAVA_TOOL_OPTIONS", "-Xnonsense")
                        .run("status", "k")
                        .exits(3)
                        .err())
                .contains("JAVA_TOOL_OPTIONS");
    }

    @Test
    @DisplayName("options for the JVM, which may hold passwords, are not among the arguments that everybody can see")
    void hiddenJavaOptions() {
        String out = cli.with("JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.keyStorePassword='top \"secret\\'")
                .run("run", "k", "--", "sh", "-c", "tr '\\0' ' ' < /proc/$PPID/cmdline")
                .exits(0)
                .out();
        assertThat(out).contains("dev.syncguard.cli.Main").doesNotContain("keyStorePassword", "secret");
    }
}
