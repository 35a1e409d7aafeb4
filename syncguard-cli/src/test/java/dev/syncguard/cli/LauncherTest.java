package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root. */
class LauncherTest {

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
    }

    @Test
    @DisplayName("works through symbolic links and from any directory, and does not build again")
    void links() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("sg"), Cli.LAUNCHER);
        Files.createSymbolicLink(directory.resolve("relative"), link.getFileName());
        cli.run("--version").exits(0);
        for (String start :
                new String[] {"cd / && \"$DIR/sg\"", "cd \"$DIR\" && ./relative", "cd \"$DIR\" && PATH=$DIR:$PATH sg"
                }) {
            Cli.Result result = cli.shell(start + " status k").exits(1);
            assertThat(result.out()).isEqualTo("free\n");
            assertThat(result.err()).isEmpty();
        }
    }

    @Test
    @DisplayName("without a usable Java it says what to do")
    void noJava() throws IOException {
        assertThat(cli.shell("JAVA_HOME=/no/such/jdk \"$SG\" status k").exits(3).err())
                .contains("JDK 17 or newer");
        assertThat(cli.shell(
                                "unset JAVA_HOME; mkdir $DIR/bin; ln -s $(command -v bash) $(command -v readlink) $DIR/bin;"
                                        + " PATH=$DIR/bin bash \"$SG\" status k")
                        .exits(3)
                        .err())
                .contains("install a JDK 17 or newer");
        Path old = Files.createDirectories(directory.resolve("old/bin")).resolve("java");
        Files.writeString(old, "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n");
        assertThat(old.toFile().setExecutable(true)).isTrue();
        assertThat(cli.shell("JAVA_HOME=$DIR/old \"$SG\" status k").exits(3).err())
                .contains("this is Java 11");
    }

    @Test
    @DisplayName("the default store is a file of the user's own")
    void defaultFile() throws IOException {
        Cli bare = Cli.on("").with("XDG_STATE_HOME", directory.resolve("state").toString());
        bare.run("run", "k", "--", "true").exits(0);
        Path file = directory.resolve("state/syncguard/locks.db");
        assertThat(Files.getPosixFilePermissions(file)).hasToString("[OWNER_READ, OWNER_WRITE]");
    }

    @Test
    @DisplayName("the demo refuses the late write")
    void demo() {
        Cli.Result result = cli.run("demo");
        assertThat(result.exits(0).out())
                .contains("is paused (SIGSTOP)", "REFUSES", "is told by its lease", "The account holds 200")
                .doesNotContain("\u001b");
        assertThat(result.err()).isEmpty();
    }
}
