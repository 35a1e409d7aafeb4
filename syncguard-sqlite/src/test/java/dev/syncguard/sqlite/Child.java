package dev.syncguard.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process of this machine, which does one of the things in {@link ChildMain}. */
final class Child implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private Child(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static Child start(String task, Path file, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                ChildMain.class.getName(),
                task,
                file.toString()));
        command.addAll(List.of(arguments));
        try {
            return new Child(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next line that it prints; null at the end. */
    String line() {
        try {
            return output.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it has printed and not been asked for; ends when the process does. */
    List<String> rest() {
        return output.lines().toList();
    }

    /** Tells it to go on. */
    void go() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    /** kill -9; what it printed can still be read, unlike after {@link Process#destroyForcibly}. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill gave " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
