package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.Cli.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A clone that was built, and then met other users, other JDKs and other times. */
class CloneTest {

    private static final String STATUS = "\"$CLONE/syncguard\" status k -b \"sqlite:$DIR/locks/locks.db\"";

    private Path directory;
    private Cli cli;

    /** Another user where there is one; the rights of files do not stop root. */
    private String otherUser;

    @BeforeEach
    void setUp() throws IOException {
        directory = Files.createTempDirectory(Path.of("/var/tmp"), "syncguard-clone-");
        cli = Cli.on("")
                .with("DIR", directory.toString())
                .with("CLONE", directory.resolve("clone").toString());
        cli.run("--version").exits(0); // built
        cli.shell(
                        "umask 022; chmod 755 \"$DIR\"; mkdir -m 777 \"$DIR/locks\"; mkdir -p \"$CLONE/syncguard-cli/target\"; root=\"${SG%/*}\";"
                                + " cp -p \"$SG\" \"$root/pom.xml\" \"$CLONE\"; cd \"$root/syncguard-cli\";"
                                + " for m in core sqlite redis postgres firestore cli; do mkdir -p \"$CLONE/syncguard-$m/src\";"
                                + " cp -rp \"$root/syncguard-$m/src/main\" \"$CLONE/syncguard-$m/src\"; cp -p \"$root/syncguard-$m/pom.xml\" \"$CLONE/syncguard-$m\"; done;"
                                + " cp -p target/syncguard-cli.jar target/built \"$CLONE/syncguard-cli/target\";"
                                + " mkdir \"$CLONE/syncguard-cli/target/launch\"; read -r copy < target/launch/current;"
                                + " cp -rp target/launch/current target/launch/$copy \"$CLONE/syncguard-cli/target/launch\"")
                .exits(0);
        boolean isRoot = cli.shell("id -u").out().strip().equals("0");
        otherUser = isRoot && cli.shell("command -v runuser && id nobody").code() == 0
                ? "cd / && runuser -u nobody -- "
                : "";
    }

    @AfterEach
    void clean() {
        cli.shell("chmod -R u+w \"$DIR\"; rm -rf \"$DIR\"").exits(0);
    }

    private static void isFree(Result result) {
        assertThat(result.exits(1).out()).isEqualTo("free\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    @DisplayName("runs for others who may not write to it, also after a source was touched, and quietly")
    void readOnly() {
        cli.shell("chmod -R a-w \"$CLONE\"").exits(0);
        isFree(cli.shell(otherUser + STATUS));
        cli.shell("touch \"$CLONE/syncguard-core/pom.xml\"").exits(0);
        isFree(cli.shell(otherUser + STATUS));
        isFree(cli.shell("mv \"$CLONE\" \"$CLONE-moved\"; CLONE=$CLONE-moved; " + otherUser + STATUS));
    }

    @Test
    @DisplayName("runs on every JDK of the machine, without an archive of classes where it may not write one")
    void otherJdks() {
        cli.shell("chmod -R a-w \"$CLONE\"").exits(0);
        Result result = cli.shell("for jdk in /usr/lib/jvm/*; do [ -x $jdk/bin/java ] || continue;" + " JAVA_HOME=$jdk "
                + (otherUser.isEmpty() ? "" : "runuser -u nobody -- ") + STATUS + "; done");
        assertThat(result.out().lines().distinct()).isSubsetOf("free");
        assertThat(result.err()).isEmpty();
    }

    @Test
    @DisplayName("a build that fails does not stop what was built before, and says so")
    void failedBuild() {
        Result result =
                cli.shell("touch \"$CLONE/syncguard-core/pom.xml\"; " + STATUS).exits(1); // it has no Maven
        assertThat(result.out()).isEqualTo("free\n");
        assertThat(result.err()).contains("building failed", "starting the build of before");
    }

    @Test
    @DisplayName("verifies byte code, and has an archive of classes for each store that it was prepared for")
    void verified() {
        Result flags = cli.shell(
                "\"$CLONE/syncguard\" run k -b \"sqlite:$DIR/locks/locks.db\" -- sh -c 'p=$PPID; while [ $p -gt 1 ];"
                        + " do tr \"\\0\" \" \" < /proc/$p/cmdline; p=$(sed -n \"s/^PPid:.//p\" /proc/$p/status); done'");
        assertThat(flags.exits(0).out())
                .contains("dev.syncguard.cli.Main")
                .doesNotContain("BytecodeVerification", "noverify");
        assertThat(cli.shell("ls \"$CLONE\"/syncguard-cli/target/launch/*/archive/*")
                        .exits(0)
                        .out())
                .containsPattern("base\\.(jsa|aot)")
                .containsPattern("redis\\.(jsa|aot)");
    }
}
