package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the command start it with signals at their default action, however they were started themselves. */
class DefaultSignalsTest {

    private static final String IGNORING = "trap '' HUP INT TERM TSTP; ";

    @TempDir
    Path directory;

    @Test
    @DisplayName("a process with ignored signals starts others that a signal ends")
    void inheritedIgnoreIsUndone() {
        Cli.Result result = inChild(IGNORING, "restore");
        assertThat(result.exits(0).out()).isEqualTo("HUP 129\nINT 130\nTERM 143\n");
    }

    @Test
    @DisplayName("without that they would inherit it: this test would notice")
    void inheritedIgnoreIsThere() {
        Cli.Result result = inChild(IGNORING, "leave");
        assertThat(result.exits(0).out()).isEqualTo("HUP 0\nINT 0\nTERM 0\n");
    }

    @Test
    @DisplayName("every command of these tests is started that way")
    void commandsOfTheTests() {
        for (String signal : new String[] {"HUP", "INT", "TERM"}) {
            assertThat(Cli.on("memory:").shell("kill -s " + signal + " $$").code())
                    .as(signal)
                    .isGreaterThan(128);
        }
    }

    private Cli.Result inChild(String before, String mode) {
        return Cli.on("memory:")
                .with(
                        "JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .with("CLASSES", System.getProperty("java.class.path"))
                .with("DIR", directory.toString())
                .shell(before + "exec \"$JAVA\" -Djava.io.tmpdir=\"$DIR\" -cp \"$CLASSES\" '" + Child.class.getName()
                        + "' " + mode);
    }

    /** Prints how processes end that send themselves a signal. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            if (args[0].equals("restore")) {
                DefaultSignals.restore();
            }
            for (String signal : new String[] {"HUP", "INT", "TERM"}) {
                Process process = new ProcessBuilder("sh", "-c", "kill -s " + signal + " $$").start();
                System.out.println(signal + " " + process.waitFor());
            }
        }
    }
}
