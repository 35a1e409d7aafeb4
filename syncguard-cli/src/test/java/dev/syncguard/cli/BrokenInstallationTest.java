package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An installation or a JVM that does not work gives no answer: 1 would mean that a lock is free. */
class BrokenInstallationTest {

    private static final String STATUS = "\"$DIR/installed/bin/syncguard\" status k";

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
        cli.run("--version").exits(0); // prepared
        cli.shell(
                        "cd \"${SG%/*}/syncguard-cli/target/launch\"; read -r copy < current; cp -rp $copy \"$DIR/installed\"")
                .exits(0);
        assertThat(cli.shell(STATUS).exits(1).out()).isEqualTo("free\n");
    }

    @Test
    @DisplayName("files that are missing or empty")
    void files() {
        String runtime =
                "mkdir -p \"$DIR/installed/runtime/bin\"; cd \"$DIR/installed/runtime\"; ln -s /bin/true bin/java;"
                        + " echo 'JAVA_VERSION=\"25.0.1\"' > release; ";
        assertThat(cli.shell(runtime + STATUS).exits(3).err())
                .contains("not complete: ", "/runtime/lib/modules is missing");
        cli.shell("rm -r \"$DIR/installed/runtime\"").exits(0);
        String jar = "\"$DIR/installed/lib/syncguard-cli.jar\"";
        for (String harm : new String[] {": > " + jar, "rm " + jar}) {
            assertThat(cli.shell(harm + "; " + STATUS).exits(3).err())
                    .startsWith("syncguard: this installation is not complete: ")
                    .contains("syncguard-cli.jar");
        }
    }

    @Test
    @DisplayName("a java of another processor")
    void foreignJava() throws IOException {
        Path bin = Files.createDirectories(directory.resolve("jdk/bin"));
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        Files.write(bin.resolve("java"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0});
        assertThat(bin.resolve("java").toFile().setExecutable(true)).isTrue();
        assertThat(cli.shell("JAVA_HOME=\"$DIR/jdk\" " + STATUS).exits(3).err())
                .contains("cannot be executed on this machine");
    }

    @Test
    @DisplayName("a system that gives no memory to the JVM")
    void noMemory() {
        assertThat(cli.shell("ulimit -d 10000; " + STATUS).exits(3).err())
                .startsWith("syncguard: this JVM does not start")
                .contains("ulimit");
    }

    @Test
    @DisplayName("a JVM that crashes ends by ABRT; it leaves the output of the command and its directory alone")
    void crash() throws IOException {
        assumeTrue(cli.shell("setsid true").code() == 0, "there is no setsid, so the command has another parent");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Cli.Result result = cli.shell("ulimit -c 0; cd \"$DIR/empty\";"
                + " exec \"$DIR/installed/bin/syncguard\" run k -- sh -c 'kill -s SEGV $PPID; exec sleep 60'");
        assertThat(Map.of("out", result.exits(134).out(), "err", result.err())).isEqualTo(Map.of("out", "", "err", ""));
        assertThat(empty).isEmptyDirectory();
    }
}
