package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.syncguard.cli.run.Executable;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody at a terminal sees. The terminal comes from {@code script} of util-linux. */
class TerminalTest {

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        assumeTrue(Executable.check("script") == 0, "there is no script command for a pseudo-terminal");
        cli = Cli.onFile(directory).with("TERM", "xterm");
        cli.run("--version").exits(0); // a preparation would be on the screen, too
    }

    /** Everything that appears on the terminal; standard output and error are both that terminal. */
    private Cli.Result atTerminal(String line) {
        return cli.shell("script -qec '" + line + "' /dev/null < /dev/null");
    }

    /** Types something as soon as something else has appeared. */
    private Cli.Result atTerminal(String line, String awaited, String typed) {
        Cli.Running running = cli.startShell("exec script -qec '" + line + "' /dev/null");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Cli.read(running.out()).contains(awaited));
        return running.write(typed).await();
    }

    @Test
    @DisplayName("watch draws bars in place and brings the cursor back")
    void watch() {
        cli.run("acquire", "k", "--ttl", "10m").exits(0);
        String screen = atTerminal("stty cols 110; \"$SG\" watch --raw --interval 100ms --count 3")
                .exits(0)
                .out();
        assertThat(screen)
                .contains(
                        "1 lock ", "█", "\u001b[32m", "000000000000001", "WHO", ":" + System.getProperty("user.name"));
        assertThat(screen.split("\u001b\\[H", -1)).as("three frames").hasSize(4);
        assertThat(screen).startsWith("\u001b[?1049h\u001b[?25l").endsWith("\u001b[?25h\u001b[?1049l");
    }

    @Test
    @DisplayName("Ctrl-C ends watch, and the cursor comes back")
    void watchInterrupted() {
        String screen = atTerminal("\"$SG\" watch --interval 100ms", "Ctrl-C ends", "\u0003")
                .exits(130)
                .out();
        assertThat(screen).endsWith("\u001b[?25h\u001b[?1049l");
    }

    @Test
    @DisplayName("a waiting run shows how long it waits, and wipes the line")
    void progress() {
        cli.run("acquire", "k", "--ttl", "10m").exits(0);
        String screen =
                atTerminal("\"$SG\" run k --wait 700ms -- true").exits(75).out();
        assertThat(screen).contains("waiting for the lock, 0.0s of 0.7s").contains("\r\u001b[K");
        assertThat(screen.substring(screen.lastIndexOf("\u001b[K"))).doesNotContain("waiting");
    }

    @Test
    @DisplayName("at 50 columns the keys are there, and what was cut is marked")
    void narrow() {
        cli.run("acquire", "nightly-report-of-the-second-warehouse", "--ttl", "10m")
                .exits(0);
        String watch = atTerminal("stty cols 50; \"$SG\" watch --raw --interval 100ms --count 1")
                .exits(0)
                .out();
        assertThat(watch).contains("KEY", "nightly-", "…");
        assertThat(watch.lines().map(line -> line.replaceAll("\u001b\\[[?0-9;]*[a-zA-Z]", "")))
                .allMatch(line -> line.strip().length() <= 50);
        String ls = atTerminal("stty cols 50; \"$SG\" ls --raw").exits(0).out();
        assertThat(ls).contains("KEY", "nightly-", "…");
        assertThat(cli.run("ls", "--raw").exits(0).out()).contains("nightly-report-of-the-second-warehouse\n");
    }

    @Test
    @DisplayName("the bar shows the share of its time that a lock has left, from the first look")
    void bar() {
        cli.run("acquire", "k", "--ttl", "5s", "--no-label").exits(0);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> cli.run("lookup", "k", "--format", "json")
                                .json()
                                .path("acquiredAtMs")
                                .asLong()
                        < System.currentTimeMillis() - 2500);
        String screen =
                atTerminal("\"$SG\" watch --interval 100ms --count 1").exits(0).out();
        assertThat(screen).doesNotContain("█".repeat(11));
    }

    @Test
    @DisplayName("what the demo's account refuses is not green")
    void refused() {
        assertThat(cli.run("demo", "--color", "always").exits(0).out())
                .contains("\u001b[31mREFUSES")
                .contains("REFUSES");
    }

    @Test
    @DisplayName("NO_COLOR and --color=never leave the text alone")
    void noColour() {
        assertThat(atTerminal("\"$SG\" doctor").out()).contains("\u001b[");
        assertThat(atTerminal("NO_COLOR=1 \"$SG\" doctor").out()).doesNotContain("\u001b[");
        assertThat(atTerminal("\"$SG\" doctor --color never").out()).doesNotContain("\u001b[");
    }

    @Test
    @DisplayName("fence raise asks, and takes no for an answer")
    void confirmation() {
        String refused = atTerminal("\"$SG\" fence raise k --to 9", "[y/N]", "n\n")
                .exits(1)
                .out();
        assertThat(refused).contains("nothing was changed");
        assertThat(atTerminal("\"$SG\" fence raise k --to 9", "[y/N]", "y\n")
                        .exits(0)
                        .out())
                .contains("stands at 000000000000009");
    }
}
