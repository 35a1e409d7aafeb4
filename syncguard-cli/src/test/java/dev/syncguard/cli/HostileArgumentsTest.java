package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that look like something else arrive as they are, or are refused before anything happens. */
class HostileArgumentsTest {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
    }

    @Test
    @DisplayName("the name of a file after @ is not replaced by its content, in the command and in keys")
    void atFiles() throws IOException {
        Path file = Files.writeString(directory.resolve("body"), "content --ttl");
        String word = "@" + file;
        assertThat(cli.run("run", word, "--", "printf", "%s|", "-d", word, "--", "@@x", "@")
                        .exits(0)
                        .out())
                .isEqualTo("-d|" + word + "|--|@@x|@|");
        assertThat(cli.run("run", word, "--", "sh", "-c", "printf %s \"$SYNCGUARD_KEY\"")
                        .exits(0)
                        .out())
                .isEqualTo(word);
        assertThat(cli.run("explain", word, "--format", "json")
                        .exits(0)
                        .json()
                        .get("key")
                        .asText())
                .isEqualTo(word);
    }

    @Test
    @DisplayName("without -- the command begins with the second word, and its options are its own")
    void withoutDashes() {
        assertThat(cli.run("run", "k", "--ttl", "9s", "printf", "%s|", "-h", "--ttl", "--", "x")
                        .exits(0)
                        .out())
                .isEqualTo("-h|--ttl|--|x|");
    }

    @Test
    @DisplayName("empty arguments, quotes, blanks and line feeds reach the command")
    void odd() {
        assertThat(cli.run("run", "k", "--", "printf", "%s|", "", "\"q\"", "'", " a  b ", "x\ny", "$HOME", "*")
                        .exits(0)
                        .out())
                .isEqualTo("|\"q\"|'| a  b |x\ny|$HOME|*|");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run k -- touch \"$DIR/ran\" $'\\xff'",
                "run $'k\\xe9' -- touch \"$DIR/ran\"",
                "acquire $'\\xc3'",
                "status $'\\xed\\xa0\\x80'",
                "explain $'\\xff'"
            })
    @DisplayName("bytes that are not UTF-8 are refused before anything runs")
    void notUtf8(String line) {
        Cli.Result result = cli.shell("\"$SG\" " + line);
        assertThat(result.exits(2).err()).contains("is not text in UTF-8");
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(cli.run("ls").out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "export SYNCGUARD_BACKEND=\"sqlite:$DIR/\"$'\\xe9'",
                "mkdir \"$DIR\"/$'\\xe9'; cd \"$DIR\"/$'\\xe9'; export SYNCGUARD_BACKEND=sqlite:locks.db",
                "export SYNCGUARD_BACKEND= HOME=\"$DIR/\"$'\\xe9' XDG_STATE_HOME=",
                "export SYNCGUARD_BACKEND= XDG_STATE_HOME=\"$DIR/\"$'\\xe9'",
                "export SYNCGUARD_PASSWORD=$'\\xe9'",
                "export SYNCGUARD_CONFIG=\"$DIR/\"$'\\xe9'"
            })
    @DisplayName("no path or variable that is not UTF-8 leads to another store")
    void storeThatIsNotUtf8(String environment) throws IOException {
        Cli.Result result = cli.shell("unset XDG_CONFIG_HOME; " + environment
                + "; \"$SG\" run k -- touch \"$DIR/ran\"; code=$?; rm -rf \"$DIR/\"$'\\xe9'; exit $code");
        assertThat(result.exits(2).err()).contains("not text in UTF-8");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @DisplayName("U+FFFD itself is text")
    void replacementCharacter() {
        assertThat(cli.run("run", "\uFFFD", "--", "printf", "%s", "\uFFFD")
                        .exits(0)
                        .out())
                .isEqualTo("\uFFFD");
    }

    @Test
    @DisplayName("release takes ids of every first character; extend and lookup those that look like options")
    void lockIds() {
        List<String> ids = new ArrayList<>();
        try (LockBackend backend = SqliteLockBackend.open(directory.resolve("locks.db"))) {
            ALPHABET.chars().forEach(c -> ids.add(taken(backend, (char) c + "A".repeat(21))));
            for (String start : List.of("-h", "-V", "-b", "-y", "--")) {
                ids.add(taken(backend, start + "A".repeat(20)));
            }
        }
        for (String id : ids.subList(ALPHABET.length(), ids.size())) {
            assertThat(cli.run("extend", id, "--ttl", "10m").exits(0).out()).startsWith("extended");
            assertThat(cli.run("lookup", "--id", id).exits(0).out()).contains("fence");
            assertThat(cli.run("status", "k", id).exits(2).err())
                    .contains("too many")
                    .doesNotContain(id);
        }
        for (String id : ids) {
            assertThat(cli.run("release", id).exits(0).out()).isEqualTo("released\n");
        }
    }

    private static String taken(LockBackend backend, String id) {
        AcquireRequest request =
                new AcquireRequest(LockKey.of("key of " + id), LockId.parse(id), Ttl.of(Duration.ofMinutes(10)), false);
        assertThat(backend.acquire(request, AbortSignal.none())).isInstanceOf(AcquireOutcome.Granted.class);
        return id;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--\u001b[31m", "--format=\u001b[31m", "-\u009b2J"})
    @DisplayName("what a terminal would act on is not repeated in messages")
    void escapes(String argument) {
        assertThat(cli.run("ls", argument).exits(2).err()).contains("\\u{").doesNotContain("\u001b", "\u009b");
    }

    @Test
    @DisplayName("-h with something behind it is not a request for help: no answer is mistaken for yes")
    void notHelp() {
        cli.run("status", "-hk").exits(2);
        cli.run("status", "--", "-hk").exits(1);
    }
}
