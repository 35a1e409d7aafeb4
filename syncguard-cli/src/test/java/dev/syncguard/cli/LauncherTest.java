package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
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
                                "unset JAVA_HOME; mkdir \"$DIR/bin\"; ln -s $(command -v bash) $(command -v readlink) \"$DIR/bin\";"
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
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    @DisplayName("needs no HOME, also for the default store")
    void noHome() {
        Cli bare = Cli.on("").with("XDG_STATE_HOME", directory.resolve("state").toString());
        Cli.Result result = bare.shell("unset HOME; \"$SG\" run k -- true && \"$SG\" status k");
        assertThat(result.exits(1).out()).isEqualTo("free\n");
        assertThat(result.err()).isEmpty();
        assertThat(directory.resolve("state/syncguard/locks.db")).exists();
    }

    @Test
    @DisplayName("a user without any home directory is told to name a file, and gets none in the working directory")
    void homeless() throws IOException {
        Cli.Result result = Cli.on("")
                .with("DIR", directory.toString())
                .with("JAVA_TOOL_OPTIONS", "-Duser.home=?")
                .shell("cd \"$DIR\"; unset HOME XDG_STATE_HOME; \"$SG\" status k");

        assertThat(result.code()).isGreaterThan(1);
        assertThat(result.err()).contains("no home directory").contains("XDG_STATE_HOME or HOME");
        try (Stream<Path> created = Files.list(directory)) {
            assertThat(created).isEmpty();
        }
    }

    @Test
    @DisplayName("works in a directory with spaces: prepares itself there, and starts from there")
    void spaces() throws IOException {
        Path target = Files.createDirectories(copyOfLauncher().resolve("syncguard-cli/target"));
        cli.shell("cd \"$DIR/a b/c d\" && root=\"${SG%/*}\""
                        + " && ln -s \"$root\"/syncguard-{core,sqlite,redis,postgres,firestore} \"$root/pom.xml\" ."
                        + " && ln -s \"$root\"/syncguard-cli/{src,pom.xml} syncguard-cli")
                .exits(0);
        for (String file : new String[] {"syncguard-cli.jar", "built"}) {
            Files.copy(Cli.LAUNCHER.resolveSibling("syncguard-cli/target").resolve(file), target.resolve(file));
        }
        String start = "\"$DIR/a b/c d/syncguard\" run k -- sh -c 'echo $SYNCGUARD_FENCE'";
        assertThat(cli.shell(start).exits(0).err()).isEqualTo("Preparing SyncGuard for this JDK ...\n");
        Cli.Result second = cli.shell(start).exits(0);
        assertThat(second.out()).isEqualTo("000000000000002\n");
        assertThat(second.err()).isEmpty();

        Cli.Result moved = cli.shell("mv \"$DIR/a b\" \"$DIR/moved\" && \"$DIR/moved/c d/syncguard\" status k");
        assertThat(moved.exits(1).out()).as("a moved copy").isEqualTo("free\n");
        assertThat(moved.err()).isEmpty();
        cli.shell("rm \"$DIR/moved/c d/syncguard-cli/target/launch\"/*/lib/picocli*");
        Cli.Result damaged = cli.shell("\"$DIR/moved/c d/syncguard\" status k");
        assertThat(damaged.exits(3).err())
                .as("a damaged copy")
                .contains("syncguard:")
                .doesNotContain("\tat ");
    }

    @Test
    @DisplayName("a copy that cannot be built does not look like an answer")
    void unwritable() throws IOException {
        Files.createFile(copyOfLauncher().resolve("syncguard-cli"));
        assertThat(cli.shell("\"$DIR/a b/c d/syncguard\" status k").exits(3).err())
                .contains("let its owner start it once");
    }

    @Test
    @DisplayName("a JVM that may not start its threads does not look like an answer")
    void tooFewProcesses() throws IOException {
        String limited = "setpriv --reuid=54329 --regid=54329 --clear-groups";
        assumeTrue(
                cli.shell(limited + " test -x \"$SG\"").code() == 0,
                "not root, no setpriv, or this clone is closed to others");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        String start = limited + " bash -c 'ulimit -u 9; exec \"$SG\" status k'";

        assertThat(cli.shell(limited + " \"$SG\" status k").exits(1).out()).isEqualTo("free\n");
        assertThat(cli.shell(start).exits(3).err()).contains("syncguard: ");
    }

    @Test
    @DisplayName("a user without a name is shown by number")
    void nameless() throws IOException {
        String nameless = "setpriv --reuid=54329 --regid=54329 --clear-groups";
        assumeTrue(
                cli.shell(nameless + " test -x \"$SG\"").code() == 0,
                "not root, no setpriv, or this clone is closed to others");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        String line = nameless + " \"$SG\" run k -- env SYNCGUARD_BACKEND=\"$SYNCGUARD_BACKEND\" \"$SG\" lookup k";
        assertThat(cli.shell(line).exits(0).out()).containsPattern("held by .*:54329\n");
    }

    private Path copyOfLauncher() throws IOException {
        Path home = Files.createDirectories(directory.resolve("a b/c d"));
        Files.copy(Cli.LAUNCHER, home.resolve("syncguard"), StandardCopyOption.COPY_ATTRIBUTES);
        return home;
    }

    @Test
    @DisplayName("the demo refuses the late write")
    void demo() {
        Cli.Result result = cli.run("demo");
        assertThat(result.exits(0).out())
                .contains("is paused (SIGSTOP)", "REFUSES", "learns from its lease", "The account holds 200")
                .doesNotContain("\u001b");
        assertThat(result.err()).isEmpty();
    }
}
