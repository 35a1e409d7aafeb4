package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.syncguard.cli.Cli.Result;
import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What can be installed: built, unpacked, and started by another user with nothing in the environment. */
@Tag("once")
class InstallationTest {

    private static final Path DIST = Path.of("target/dist").toAbsolutePath();

    private static Path directory;

    /** Empty, as of a service; a login shell would have more. */
    private static String environment;

    private static String user;

    @BeforeAll
    static void build() throws IOException {
        directory = Files.createTempDirectory(Path.of("/var/tmp"), "syncguard test ");
        Cli cli = cli();
        cli.shell("./package").exits(0);
        cli.shell("chmod 755 \"$DIR\" && mkdir -m 777 \"$DIR/locks\" && mkdir \"$DIR/tar\" \"$DIR/zip\"")
                .exits(0);
        cli.shell("cd \"$DIR/tar\" && tar xzf \"$DIST\"/syncguard-*-*-*.tar.gz && mv syncguard-* \"a b\"")
                .exits(0);
        cli.shell(
                        "cd \"$DIR/zip\" && if command -v unzip > /dev/null; then unzip -q \"$DIST\"/*.zip; else"
                                + " \"${JAVA_HOME:+$JAVA_HOME/bin/}jar\" xf \"$DIST\"/*.zip && chmod +x */bin/syncguard; fi && mv syncguard-* sg")
                .exits(0);
        boolean isRoot = cli.shell("id -u").out().strip().equals("0");
        user = isRoot && cli.shell("command -v runuser && id nobody").code() == 0 ? "runuser -u nobody -- " : "";
        environment = user + "env -i ";
    }

    @AfterAll
    static void clean() {
        cli().shell("rm -rf \"$DIR\"").exits(0);
    }

    private static Cli cli() {
        return Cli.on("").with("DIR", directory.toString()).with("DIST", DIST.toString());
    }

    /** Runs it in a directory that its user may not enter. */
    private static Result tar(String arguments) {
        return cli().shell("cd /; " + environment + "\"$DIR/tar/a b/bin/syncguard\" " + arguments);
    }

    private static Result zip(String arguments) {
        return cli().shell("cd /; " + environment
                + "\"JAVA_HOME=${JAVA_HOME:-$(dirname \"$(dirname \"$(readlink -f \"$(command -v java)\")\")\")}\""
                + " PATH=/usr/bin:/bin \"$DIR/zip/sg/bin/syncguard\" " + arguments);
    }

    @Test
    @DisplayName("the tarball needs no Java, no PATH and no home, and runs as any user from any place")
    void tarball() {
        String store = "-b \"sqlite:$DIR/locks/tar.db\" ";
        Result run = tar("run k " + store + " -- /bin/sh -c 'echo $SYNCGUARD_FENCE'");
        assertThat(run.exits(0).out()).isEqualTo("000000000000001\n");
        assertThat(run.err()).isEmpty();
        assertThat(tar("status k " + store).exits(1).out()).isEqualTo("free\n");
        Result moved = cli().shell("mkdir \"$DIR/moved\" && cp -rp \"$DIR/tar/a b\" \"$DIR/moved/sg\" && cd / && "
                + environment + "\"$DIR/moved/sg/bin/syncguard\" status k " + store);
        assertThat(moved.exits(1).out()).isEqualTo("free\n");
        assertThat(moved.err()).isEmpty();
    }

    @Test
    @DisplayName("its archive of classes counts where it is unpacked; options for the JVM do not clash with it")
    void archive() {
        assumeTrue(Files.exists(directory.resolve("tar/a b/archive/runtime/base.aot")), "the runtime is older than 25");
        assumeTrue(cli().shell("setsid true").code() == 0, "there is no setsid, so the command has another parent");
        String store = "-b \"sqlite:$DIR/locks/archive.db\" ";
        assertThat(tar("run k " + store + " -- /bin/sh -c 'grep /archive/runtime/base /proc/$PPID/maps'")
                        .exits(0)
                        .out())
                .contains("/tar/a b/archive/runtime/base.aot");
        Result unshared = cli().shell("cd /; " + environment
                + "JAVA_TOOL_OPTIONS=-Xshare:off \"$DIR/tar/a b/bin/syncguard\" status k " + store);
        assertThat(unshared.exits(1).out()).isEqualTo("free\n");
    }

    @Test
    @DisplayName("the zip needs Java, and says so")
    void zip() {
        String store = "-b \"sqlite:$DIR/locks/zip.db\" ";
        Result run = zip("run k " + store + " -- sh -c 'echo $SYNCGUARD_FENCE'");
        assertThat(run.exits(0).out()).isEqualTo("000000000000001\n");
        assertThat(run.err()).isEmpty();
        Result noJava = cli().shell("mkdir \"$DIR/bin\"; ln -s $(command -v bash) $(command -v readlink) \"$DIR/bin\"; "
                + environment + "\"PATH=$DIR/bin\" bash \"$DIR/zip/sg/bin/syncguard\" status k " + store);
        assertThat(noJava.exits(3).err()).contains("install a JDK 17 or newer");
    }

    @Test
    @DisplayName(
            "finds the driver by the scheme of the URL: as an option in every form, in a variable, in the config file")
    void drivers() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            String url = server.url();
            for (String option :
                    List.of("-b " + url, "-b" + url, "-b=" + url, "--backend " + url, "--backend=" + url)) {
                assertThat(tar("status k " + option).exits(1).out()).as(option).isEqualTo("free\n");
            }
            String upper = url.replace("redis:", "REDIS:");
            assertThat(cli().shell("cd /; " + environment + "SYNCGUARD_BACKEND=" + upper
                                    + " \"$DIR/tar/a b/bin/syncguard\" status k")
                            .exits(1)
                            .out())
                    .isEqualTo("free\n");
            Files.writeString(directory.resolve("config"), "  backend =  " + url + "\n");
            assertThat(cli().shell("cd /; " + environment + "\"SYNCGUARD_CONFIG=$DIR/config\""
                                    + " \"$DIR/tar/a b/bin/syncguard\" run redis -- /bin/echo postgresql")
                            .exits(0)
                            .out())
                    .isEqualTo("postgresql\n");
        }
    }

    @Test
    @DisplayName("has manual pages that a formatter takes without a warning")
    void manual() throws IOException {
        Path pages = directory.resolve("tar/a b/share/man/man1");
        try (Stream<Path> files = Files.list(pages)) {
            assertThat(files.map(page -> page.getFileName().toString()))
                    .contains("syncguard.1", "syncguard-run.1", "syncguard-fence-raise.1", "syncguard-doctor.1");
        }
        assertThat(Files.readString(pages.resolve("syncguard-run.1")))
                .contains(".TH \"SYNCGUARD-RUN\" 1", "\\-\\-fence\\-mode", "$SYNCGUARD_FENCE");
        assumeTrue(cli().shell("command -v groff").code() == 0, "there is no groff here");
        Result formatted = cli().shell(
                        "cd \"$DIR/tar/a b/share/man/man1\" && for page in *; do groff -man -Tutf8 -ww $page"
                                + " > /dev/null || exit; done");
        assertThat(formatted.exits(0).err()).isEmpty();
    }

    @Test
    @DisplayName("completes in bash")
    void bash() {
        Result completed = cli().shell("source \"$DIR/tar/a b/share/bash-completion/completions/syncguard\";"
                + " COMP_WORDS=(syncguard doc); COMP_CWORD=1; COMP_LINE='syncguard doc'; _complete_syncguard;"
                + " echo \"${COMPREPLY[@]}\"; COMP_WORDS=(syncguard run --fence); COMP_CWORD=2; _complete_syncguard;"
                + " echo \"${COMPREPLY[@]}\"");
        assertThat(completed.exits(0).out()).contains("doctor").contains("--fence-mode");
    }

    @Test
    @DisplayName("completes in zsh")
    void zsh() {
        assumeTrue(cli().shell("command -v zsh").code() == 0, "there is no zsh here");
        // A terminal of its own: only an interactive zsh completes.
        Result completed = cli().shell("mkdir -p \"$DIR/zsh\" && cat > \"$DIR/zsh/drive\" <<'END'\n"
                + "zmodload zsh/zpty\n"
                + "zpty shell zsh -f -i\n"
                + "zpty -w shell \"PS1=; fpath=('$DIR/tar/a b/share/zsh/site-functions' \\$fpath); autoload -Uz compinit;"
                + " compinit -u -d $DIR/zsh/dump; echo ready\"\n"
                + "sleep 2\n"
                + "zpty -w -n shell $'syncguard doct\\t'\n"
                + "sleep 2\n"
                + "zpty -w -n shell $'\\C-u syncguard run --fence-m\\t'\n"
                + "sleep 2\n"
                + "zpty -r -t shell text\n"
                + "while zpty -r -t shell more; do text+=$more; done\n"
                + "print -r -- $text\n"
                + "zpty -d shell\n"
                + "END\n"
                + "cd \"$DIR\" && TERM=dumb zsh -f \"$DIR/zsh/drive\"");
        assertThat(completed.exits(0).out())
                .contains("doctor")
                .contains("--fence-mode")
                .doesNotContain("command not found");
    }
}
