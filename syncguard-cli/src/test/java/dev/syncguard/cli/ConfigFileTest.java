package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.Cli.Result;
import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of defaults. */
class ConfigFileTest {

    @TempDir
    Path directory;

    private Path write(String name, String mode, String... lines) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    private static Cli with(Path file) {
        return Cli.on("").with("SYNCGUARD_CONFIG", file.toString());
    }

    @Test
    @DisplayName("names the backend and defaults; an option wins over a variable, a variable over the file")
    void precedence() throws IOException {
        String mine = "sqlite:" + directory.resolve("mine.db");
        Path file = write("c", "rw-r--r--", "# mine", "", "backend = " + mine, "ttl=7m", "  fence-mode = time-floored");
        assertThat(with(file)
                        .run("run", "k", "--", "sh", "-c", "\"$SG\" lookup k")
                        .exits(0)
                        .out())
                .contains("time left     6m")
                .contains("fence         00");
        assertThat(directory.resolve("mine.db")).exists();
        assertThat(with(file)
                        .run("run", "k", "--ttl", "20m", "--", "sh", "-c", "\"$SG\" lookup k")
                        .exits(0)
                        .out())
                .contains("time left     19m");

        Cli variable = with(file).with("SYNCGUARD_BACKEND", "sqlite:" + directory.resolve("variable.db"));
        assertThat(variable.run("run", "k", "--", "sh", "-c", "echo $SYNCGUARD_FENCE")
                        .exits(0)
                        .out())
                .as("what stands beside a backend is for that one only")
                .isEqualTo("000000000000001\n");
        variable.run("run", "k", "-b", "sqlite:" + directory.resolve("option.db"), "--", "true")
                .exits(0);
        assertThat(directory.resolve("option.db")).exists();
    }

    @Test
    @DisplayName("is found in the configuration directory; without a backend it speaks of every one")
    void place() throws IOException {
        write("config/syncguard/config", "rw-r--r--", "fence-mode=time-floored");
        Cli cli = Cli.onFile(directory)
                .with("XDG_CONFIG_HOME", directory.resolve("config").toString());
        assertThat(cli.run("run", "k", "--", "sh", "-c", "echo $SYNCGUARD_FENCE")
                        .exits(0)
                        .out())
                .isGreaterThan("000001000000000");
        write("home/.config/syncguard/config", "rw-r--r--", "no-such-entry=1");
        Cli home = Cli.onFile(directory).with("XDG_CONFIG_HOME", "").with("HOME", directory + "/home");
        home.run("status", "k").exits(2);
    }

    @Test
    @DisplayName("its time to wait is a default: a job that runs once per period does not wait, and runs")
    void waitBesideOncePer() throws IOException {
        Path file = write("c", "rw-r--r--", "backend = sqlite:" + directory.resolve("mine.db"), "wait = 10m");
        assertThat(with(file)
                        .run("run", "k", "--once-per", "1h", "--", "echo", "ran")
                        .exits(0)
                        .out())
                .isEqualTo("ran\n");
        assertThat(with(file)
                        .run("run", "k", "--once-per", "1h", "--", "echo", "ran")
                        .exits(0)
                        .out())
                .isEmpty();
        with(file)
                .run("run", "k", "--once-per", "1h", "--wait", "1s", "--", "true")
                .exits(2);
    }

    @Test
    @DisplayName("an unknown entry is refused with the list, and nothing of the file is shown")
    void unknown() throws IOException {
        for (String line : new String[] {"pasword = s3cret", "s3cret", "backend=sqlite:a\nbackend=s3cret"}) {
            Result result =
                    with(write("c", "rw-------", line)).run("status", "k").exits(2);
            assertThat(result.err())
                    .contains("line ", "backend, password, password-file, fence-mode", "ttl, wait, grace, color")
                    .doesNotContain("s3cret");
            assertThat(result.err().lines()).hasSize(1);
        }
        assertThat(with(directory.resolve("none"))
                        .run("run", "k", "--", "true", "s3cret")
                        .exits(2)
                        .err())
                .as("the arguments are not repeated")
                .isEqualTo("syncguard: InvalidArgument: the config file: it cannot be read: NoSuchFileException\n");
        assertThat(with(directory.resolve("none")).run("status", "k").exits(2).err())
                .contains("cannot be read");
        assertThat(with(write("c", "rw-------", "ttl=soon"))
                        .run("acquire", "k")
                        .exits(2)
                        .err())
                .contains("--ttl");
    }

    @Test
    @DisplayName("with a password in it the file is closed to others; the password reaches the store")
    void password() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            server.command("CONFIG", "SET", "requirepass", "s3cret");
            String backend = "backend=redis://127.0.0.1:" + server.port();
            Path open = write("c", "rw-r-----", backend, "password=s3cret");
            assertThat(with(open).run("status", "k").exits(2).err())
                    .contains("chmod 600")
                    .doesNotContain("s3cret");
            with(write("c", "rw-------", backend, "password=s3cret"))
                    .run("status", "k")
                    .exits(1);
            String inUrl = backend.replace("//", "//:s3cret@");
            with(write("d", "rw-r--r--", inUrl)).run("status", "k").exits(2);
            with(write("d", "rw-------", inUrl)).run("status", "k").exits(1);
            with(write("m", "rw-------", "\uFEFF" + inUrl)).run("status", "k").exits(1);
            Path file = write("p", "rw-------", "s3cret");
            with(write("e", "rw-r--r--", backend, "password-file=" + file))
                    .run("status", "k")
                    .exits(1);
        }
    }

    @Test
    @DisplayName("a file that everybody can write is refused: it chooses the store, which gets the password")
    void writableByOthers() throws IOException {
        Path file = write("c", "rw-r--rw-", "backend = sqlite:" + directory.resolve("mine.db"));
        assertThat(with(file).run("status", "k").exits(2).err()).contains("chmod o-w");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        with(file).run("status", "k").exits(1);
    }

    @Test
    @DisplayName("what is no plain file, or too long, is refused at once")
    void noPlainFile() throws IOException {
        assertThat(with(Path.of("/dev/zero")).run("status", "k").exits(2).err()).contains("no plain file");
        assertThat(with(directory).run("status", "k").exits(2).err()).contains("no plain file");
        assertThat(Cli.on("")
                        .shell("SYNCGUARD_CONFIG=<(echo backend=redis://127.0.0.1:1) \"$SG\" status k")
                        .exits(2)
                        .err())
                .contains("no plain file");
        Path file = write("c", "rw-------", "#" + "x".repeat(70_000));
        assertThat(with(file).run("status", "k").exits(2).err()).contains("longer than 64 KiB");
    }

    @Test
    @DisplayName("two working directories never have two lock files: no relative path is a default, and ~ is no folder")
    void relativePath() throws IOException {
        for (String path : new String[] {"locks.db", "./locks.db", "~/locks.db"}) {
            Path file = write("c", "rw-------", "backend = sqlite:" + path);
            assertThat(with(file).run("status", "k").exits(2).err()).contains("not absolute");
        }
        assertThat(Cli.on("sqlite:~/locks.db").run("status", "k").exits(2).err())
                .contains("$HOME");
    }

    @Test
    @DisplayName("help is there whatever the file says")
    void help() throws IOException {
        Path file = write("c", "rw-------", "bad = x");
        assertThat(with(file).run("acquire", "--help").exits(0).out()).contains("Examples:");
        with(file).run("acquire", "k").exits(2);
    }

    @Test
    @DisplayName("what is wrong with the file is said without the arguments, which may hold a lock id or a password")
    void silentAboutArguments() throws IOException {
        String id = "-AAAAAAAAAAAAAAAAAAAAA";
        Result text = with(write("c", "rw-------", "bad = x")).run("release", id, "-b", "redis://u:s3cret@localhost:1");
        assertThat(text.exits(2).err())
                .startsWith("syncguard: InvalidArgument: the config file: line 1 ")
                .doesNotContain(id, "s3cret", "Exception")
                .hasLineCount(1);
        Result json = with(directory.resolve("none")).run("status", "my-key", "--format", "json");
        assertThat(json.exits(2).json().get("message").asText()).doesNotContain("my-key");
    }
}
