package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.sqlite.SqliteLockBackend;
import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts rely on: streams, exit codes, no noise, no secrets. */
class OutputTest {

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void setUp() {
        cli = Cli.onFile(directory);
    }

    @Test
    @DisplayName("the reader goes away: a quiet end")
    void brokenPipe() {
        try (SyncGuard guard = SyncGuard.of(SqliteLockBackend.open(directory.resolve("locks.db")))) {
            for (int i = 0; i < 2000; i++) {
                assertThat(guard.tryAcquire("k" + i, LockOptions.defaults().ttl(Duration.ofMinutes(10))))
                        .isInstanceOf(Lease.class);
            }
        }
        Cli.Result result = cli.shell("set -o pipefail; \"$SG\" ls --format json | head -1");
        assertThat(result.err()).isEmpty();
        assertThat(result.exits(141).out().lines()).hasSize(1);
        assertThat(cli.run("ls", "--format", "json").exits(0).out().lines()).hasSize(2000);
        assertThat(cli.run("ls", "--limit", "3", "--raw").exits(0).out().lines())
                .hasSize(4);
    }

    @Test
    @DisplayName("closed streams: nothing is written elsewhere")
    void closedStreams() {
        assertThat(cli.shell("\"$SG\" status k <&-").exits(1).out()).isEqualTo("free\n");
        cli.shell("\"$SG\" status k >&-").exits(1);
        cli.shell("\"$SG\" status '' 2>&-").exits(2);
        cli.shell("\"$SG\" release - <&-").exits(2);
        assertThat(cli.shell("\"$SG\" run k -- cat <&-").exits(0).out()).isEmpty();
        assertThat(cli.shell("\"$SG\" run k -- readlink /proc/self/fd/2 2>&-").out())
                .isIn("/dev/null\n", "");
    }

    @Test
    @DisplayName("a full disk behind standard output is an error, and what was taken is given back")
    void fullOutput() {
        Cli.Result result = cli.shell("\"$SG\" acquire k > /dev/full");
        assertThat(result.exits(3).err().lines()).hasSize(1);
        cli.run("status", "k").exits(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status k --format json", "status k", "ls --help", "--version", "explain k", "doctor"})
    @DisplayName("an answer that cannot be written is no answer: one line, exit 3")
    void unwritable(String line) {
        Cli.Result result = cli.shell("\"$SG\" " + line + " > /dev/full");
        assertThat(result.exits(3).err().lines()).as(result.err()).hasSize(1);
        assertThat(result.err()).contains("cannot be written").doesNotContain("\tat ");
    }

    @Test
    @DisplayName("schemes are the same in any case; an unknown one gets the list")
    void schemes() {
        Cli.Result upper = Cli.on("REDIS://127.0.0.1:1").run("status", "k").exits(3);
        assertThat(upper.err()).startsWith("syncguard: ServiceUnavailable");
        Cli.on("SQLite:" + directory.resolve("upper.db")).run("status", "k").exits(1);
        Cli.on("JDBC:PostgreSQL://127.0.0.1:1/d").run("status", "k").exits(3);
        for (String unknown : new String[] {"jdbc:mysql://h/d", "mysql://h", "redis", "x"}) {
            assertThat(Cli.on(unknown).run("status", "k").exits(2).err())
                    .contains("redis://HOST", "jdbc:postgresql://HOST/DATABASE", "sqlite:PATH");
        }
    }

    @Test
    @DisplayName("a store that cannot be reached: one line, exit 3; with --debug the whole story")
    void storeError() {
        Cli nowhere = Cli.on("redis://someone:topsecret@127.0.0.1:1");
        Cli.Result result = nowhere.run("status", "k");
        assertThat(result.exits(3).err().lines()).hasSize(1);
        assertThat(result.err()).startsWith("syncguard: ServiceUnavailable").doesNotContain("topsecret");
        Cli.Result json = nowhere.run("status", "k", "--format", "json").exits(3);
        assertThat(json.json().get("error").asText()).isEqualTo("ServiceUnavailable");
        Cli.Result debug = nowhere.run("status", "k", "--debug").exits(3);
        assertThat(debug.err()).contains("\tat dev.syncguard").doesNotContain("topsecret");
    }

    @Test
    @DisplayName("passwords come from the environment or a file")
    void passwords() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("CONFIG", "SET", "requirepass", "p@ss:w/rd ü");
            String url = "redis://127.0.0.1:" + redis.port();
            Cli.on(url).run("status", "k").exits(3);
            Cli.on(url)
                    .with("SYNCGUARD_PASSWORD", "p@ss:w/rd ü")
                    .run("status", "k")
                    .exits(1);
            Path file = Files.writeString(directory.resolve("password"), "p@ss:w/rd ü\n");
            Cli.on(url).run("status", "k", "--password-file", file.toString()).exits(1);
            Cli.on(url.replace("redis://", "redis://default@"))
                    .with("SYNCGUARD_PASSWORD", "p@ss:w/rd ü")
                    .run("status", "k")
                    .exits(1);
            assertThat(Cli.on(url)
                            .with("SYNCGUARD_PASSWORD", "wrong-one")
                            .run("status", "k")
                            .exits(3)
                            .err())
                    .doesNotContain("wrong-one");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "status",
                "status a b",
                "status k --nonsense",
                "nonsense",
                "run k",
                "run k --ttl soon -- true",
                "run k --ttl 0s -- true",
                "run k --grace 20s -- true",
                "acquire k --ttl 366d",
                "release short",
                "ls --limit 0",
                "lookup",
                "lookup k --id x",
                "explain",
                "schema oracle",
                "completion fish",
                "fence",
                "fence raise k",
                "fence raise k --to x --yes",
                "fence raise k --to 1",
                "watch",
                "status k --backend ftp://x",
                "status k --backend jdbc:mysql://h/d",
                "status k --backend redis",
                "status k --backend firestore://",
                "status k --prefix p",
                "status k --password-file /no/such/file",
                "status k --password-file /dev/null",
                "status k --backend redis://user@localhost:1"
            })
    @DisplayName("wrong usage: exit 2 and a line that says so")
    void usage(String line) {
        Cli.Result result = cli.shell("\"$SG\" " + line);
        assertThat(result.exits(2).out()).isEmpty();
        assertThat(result.err()).isNotBlank().doesNotContain("\tat ");
    }

    @Test
    @DisplayName("no look at all is no answer")
    void noLook() {
        assertThat(cli.run("watch", "--count", "0", "--format", "json")
                        .exits(2)
                        .json()
                        .get("message")
                        .asText())
                .contains("at least 1");
    }

    @Test
    @DisplayName("a key in place of a lock id: the message says where to find the id")
    void keyForLockId() {
        for (String command : new String[] {"release", "extend"}) {
            assertThat(cli.run(command, "nightly-report").exits(2).err())
                    .contains("lookup KEY --raw")
                    .doesNotContain("nightly-report");
        }
    }

    @Test
    @DisplayName("a lock id that is wrong is not repeated")
    void hiddenId() {
        String id = "AAAAAAAAAAAAAAAAAAAAA?";
        assertThat(cli.run("release", id).exits(2).err()).doesNotContain(id);
        assertThat(cli.run("status", "k", id).exits(2).err()).doesNotContain(id);
    }

    @Test
    @DisplayName("help with examples, the schema with its grants, completion for two shells")
    void texts() {
        assertThat(cli.run("--help").exits(0).out()).contains("run ", "watch ", "Examples:");
        assertThat(cli.run("run", "--help").exits(0).out()).contains("Examples:", "--on-lost");
        assertThat(cli.run("help", "ls").exits(0).out()).contains("Examples:");
        assertThat(cli.run("--version").exits(0).out()).startsWith("syncguard ");
        assertThat(cli.run("schema", "postgresql").exits(0).out()).contains("CREATE TABLE", "GRANT SELECT");
        assertThat(cli.run("schema", "postgresql", "--role", "app_1").exits(0).out())
                .contains("\nGRANT SELECT, INSERT, UPDATE ON \"public\".\"syncguard_fence_counters\" TO \"app_1\";");
        assertThat(cli.shell("source <(\"$SG\" completion bash) && complete -p syncguard")
                        .exits(0)
                        .out())
                .contains("syncguard");
    }

    @Test
    @DisplayName("bash completes the command behind --: its name, then files")
    void completesCommand() {
        Cli.Result completed = cli.shell("source <(\"$SG\" completion bash) && complete -p syncguard;"
                + " COMP_WORDS=(syncguard run k -- bas); COMP_CWORD=4; _syncguard_arguments; echo \"${COMPREPLY[@]}\";"
                + " COMP_WORDS=(syncguard run k -- ls /us); COMP_CWORD=5; _syncguard_arguments;"
                + " echo \"left to bash: ${#COMPREPLY[@]}\"; COMP_WORDS=(syncguard run --fence); COMP_CWORD=2;"
                + " COMP_LINE='syncguard run --fence'; _syncguard_arguments; echo \"${COMPREPLY[@]}\"");
        assertThat(completed.exits(0).out())
                .contains("-F _syncguard_arguments syncguard", "bash", "left to bash: 0", "--fence-mode");
    }

    @Test
    @DisplayName("keys with control characters cannot move the cursor, nor turn text around")
    void hostileKeys() {
        cli.run("acquire", "a\u001b[2J\u202eb", "--ttl", "10m").exits(0);
        cli.run("acquire", "c\u009b\u2066\u200f\ud834\udd73d", "--ttl", "10m").exits(0);
        assertThat(cli.run("ls", "--raw", "--format", "json").exits(0).out())
                .contains("a\\u001b[2J\\u202eb", "c\\u009b\\u2066\\u200f\\ud834\\udd73d");
        assertThat(cli.run("ls", "--raw").exits(0).out())
                .contains("a\\u{1b}[2J\\u{202e}b")
                .doesNotContain("\u001b");
        assertThat(cli.run("ls", "--color", "always").exits(0).out()).contains("\u001b[1m");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status k --format json --no-such-option",
                "status --no-such-option k --format=JSON",
                "acquire k --ttl soon --format json",
                "acquire --format json --wait -1s k",
                "status --format json",
                "lookup k too many --format json",
                "no-such-command --format json",
                "fence no-such-command --format json",
                "fence raise k --format json",
                "status $'\\xff' --format json"
            })
    @DisplayName("also what the parser refuses is a document, with --format json wherever it stands")
    void misuse(String arguments) {
        Cli.Result result = cli.shell("\"$SG\" " + arguments).exits(2);
        assertThat(result.out()).hasLineCount(1);
        assertThat(result.json().get("ok").asBoolean()).isFalse();
        assertThat(result.json().get("error").asText()).isEqualTo("InvalidArgument");
        assertThat(result.json().get("message").asText()).isNotEmpty();
        assertThat(result.err()).startsWith("syncguard: ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--backend redis://127.0.0.1:1 --no-wait", "--ttl soon", "--once-per 1ms"})
    @DisplayName("the document about a failure of run is on standard error, as all of run's")
    void failedRun(String options) throws IOException {
        Cli.Result result = cli.shell("\"$SG\" run k --format json " + options + " -- true");
        assertThat(result.code()).isIn(2, 3);
        assertThat(result.out()).isEmpty();
        String document = result.err().lines().findFirst().orElseThrow();
        assertThat(new ObjectMapper().readTree(document).get("ok").asBoolean()).isFalse();

        assertThat(cli.run("run", "k", "--ttl", "soon", "--", "echo", "--format=json")
                        .exits(2)
                        .err())
                .as("an argument of the command is not an option of ours")
                .doesNotContain("{");
    }
}
