package dev.syncguard.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the shells do to a command. */
class ShellTextTest {

    private static final Duration LONG = Duration.ofSeconds(40);

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "a command that is killed does nothing more while a long list of processes is searched for its children")
    void stoppedFirst() throws IOException, InterruptedException {
        assumeTrue(Executable.check("setsid") == 0, "there is no setsid command");
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "there is no /proc");
        Process command =
                new ProcessBuilder("setsid", "--", "bash", "-c", "echo; while :; do sleep 0.01; done").start();
        assertThat(command.inputReader().readLine()).isEmpty(); // it has its session
        Process shell = killWithPatience(command);
        try {
            await().atMost(LONG).until(() -> ProcessState.isStopped(command) || !command.isAlive());
            assertThat(command.isAlive()).as("stopped, and not dead yet").isTrue();
            await().atMost(LONG).until(() -> !command.isAlive());
            assertThat(shell.waitFor()).isZero();
        } finally {
            command.destroyForcibly();
            shell.destroyForcibly();
        }
    }

    /** Reads the entry of each process as slowly as a machine does that has thousands of them and no time. */
    private Process killWithPatience(Process command) throws IOException {
        Path slow = Files.writeString(directory.resolve("slow"), "read() { sleep 0.02; builtin read \"$@\"; }\n");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-c", ShellText.ONCE, "lock-signal", "KILL", Long.toString(command.pid()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("BASH_ENV", slow.toString());
        return builder.start();
    }
}
