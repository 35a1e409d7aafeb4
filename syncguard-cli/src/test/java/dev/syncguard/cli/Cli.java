package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts the command on one store, in processes of their own. */
final class Cli {

    static final Path LAUNCHER = Path.of("../syncguard").toAbsolutePath().normalize();
    /** Ends a test whose command hangs; a start takes a minute on a machine with a load of thirty. */
    private static final long LIMIT_SECONDS = 240;

    private final Map<String, String> environment = new HashMap<>();

    static {
        DefaultSignals.restore();
        prepare();
    }

    /** The first start after a build says on standard error that it prepares something: no test should be the first. */
    private static void prepare() {
        var unused = on("memory:").run("--version");
    }

    private Cli(String backend) {
        environment.put("SYNCGUARD_BACKEND", backend);
        environment.put("XDG_CONFIG_HOME", "/no/such/directory"); // whoever runs the tests may have a config file
    }

    static Cli on(String backend) {
        return new Cli(backend);
    }

    static Cli onFile(Path directory) {
        return on("sqlite:" + directory.resolve("locks.db"));
    }

    Cli with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** What a command left behind. */
    record Result(int code, String out, String err) {

        JsonNode json() {
            try {
                return new ObjectMapper().readTree(out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Result exits(int expected) {
            assertThat(code).as("exit code; out: %s err: %s", out, err).isEqualTo(expected);
            return this;
        }
    }

    Result run(String... args) {
        return runWithInput("", args);
    }

    Result runWithInput(String input, String... args) {
        return start(args).write(input).await();
    }

    /** Runs a line of shell in which {@code $SG} is the launcher. */
    Result shell(String line) {
        return startShell(line).write("").await();
    }

    Running startShell(String line) {
        return startWords("bash", "-c", line);
    }

    Running start(String... args) {
        List<String> words = new ArrayList<>(List.of(LAUNCHER.toString()));
        words.addAll(List.of(args));
        return startWords(words.toArray(String[]::new));
    }

    private Running startWords(String... words) {
        try {
            Path out = Files.createTempFile("out", ".txt");
            Path err = Files.createTempFile("err", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("SYNCGUARD_"));
            builder.environment().putAll(environment);
            builder.environment().put("SG", LAUNCHER.toString());
            return new Running(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A command under way. */
    record Running(Process process, Path out, Path err) {

        Running write(String input) {
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("Broken pipe"); // it did not want to read
            }
            return this;
        }

        Result await() {
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                    throw new AssertionError("still running; out: " + read(out) + " err: " + read(err));
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new Result(process.exitValue(), read(out), read(err));
        }

        void signal(String name) {
            Cli.signal(name, process.pid());
        }

        /**
         * Whether the command has taken its signals. SigCgt of Linux tells which have a handler; the JVM itself has one for
         * INT, TERM and HUP, but TSTP (20) is handled by the command only, and last.
         */
        boolean handlesSignals() {
            Path status = Path.of("/proc/" + process.pid() + "/status");
            if (!Files.exists(status)) {
                return true;
            }
            String caught = read(status)
                    .lines()
                    .filter(line -> line.startsWith("SigCgt:"))
                    .findFirst()
                    .orElseThrow();
            return (Long.parseUnsignedLong(caught.substring(7).strip(), 16) & 1L << 19) != 0;
        }
    }

    /** A dead process that its frozen parent has not noticed yet does not count. */
    static boolean isAlive(long pid) {
        boolean exists = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        Path status = Path.of("/proc/" + pid + "/status");
        try {
            return exists && !(Files.exists(status) && Files.readString(status).contains("State:\tZ"));
        } catch (IOException e) {
            return false; // it has gone meanwhile
        }
    }

    static void signal(String name, long pid) {
        try {
            new ProcessBuilder("sh", "-c", "kill -s " + name + " -- " + pid)
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
