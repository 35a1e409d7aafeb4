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

/** A signal that is ignored when the command starts stays ignored, as in every shell: nohup, the background of a script. */
class IgnoredSignalsTest {

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

    @ParameterizedTest
    @ValueSource(strings = {"INT", "HUP"})
    @DisplayName("it does not end the wait: the command is run when the lock is free")
    void waitGoesOn(String signal) {
        String id = cli.run("acquire", "k", "--ttl", "10m").exits(0).out();
        Cli.Running waiting = start(signal, "run k --wait 50s -- touch \"$DIR/mark\"");
        await().atMost(LONG).until(waiting::handlesSignals);
        waiting.signal(signal);
        assertThat(mark).doesNotExist();
        cli.runWithInput(id, "release", "-").exits(0);
        waiting.await().exits(0);
        assertThat(mark).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "HUP"})
    @DisplayName("it does not end the command, which ignores it as well and keeps its lock")
    void commandGoesOn(String signal) throws IOException {
        Cli.Running running = start(
                signal,
                "run k -- sh -c 'kill -s " + signal
                        + " $$; touch \"$DIR/mark\"; until [ -e \"$DIR/end\" ]; do sleep 0.1; done; exit 4'");
        await().atMost(LONG).until(() -> Files.exists(mark));
        running.signal(signal);
        cli.run("status", "k").exits(0);
        Files.createFile(directory.resolve("end"));
        running.await().exits(4);
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("in the background of a script INT does nothing, and TERM ends the command and releases the lock")
    void backgroundOfScript() throws IOException {
        Cli.Running script = cli.startShell(
                "\"$SG\" run k -- sh -c 'touch \"$DIR/mark\"; sleep 30' &" + " echo $! > \"$DIR/pid\"; wait $!");
        await().atMost(LONG).until(() -> Files.exists(mark));
        long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        Cli.signal("INT", pid);
        cli.run("status", "k").exits(0);
        Cli.signal("TERM", pid);
        script.await().exits(143);
        cli.run("status", "k").exits(1);
    }

    private Cli.Running start(String ignored, String line) {
        return cli.startShell("trap '' " + ignored + "; exec \"$SG\" " + line);
    }
}
