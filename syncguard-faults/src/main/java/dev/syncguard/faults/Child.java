package dev.syncguard.faults;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A JVM that this one started: says things on standard output, ends when its standard input does. */
final class Child implements AutoCloseable {

    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    /**
     * Starts a JVM.
     *
     * @param classPath its class path
     * @param main the class
     * @param arguments its arguments
     * @param log where its standard error goes
     * @param said gets the lines of its standard output
     */
    static Child start(String classPath, Class<?> main, List<String> arguments, Path log, Consumer<String> said) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("-Dslf4j.internal.verbosity=ERROR", "-Djava.io.tmpdir=" + tmp()));
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            Life.thread("output", () -> read(process, said));
            return new Child(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tmp() {
        return System.getProperty("java.io.tmpdir");
    }

    /** The class path of this process. */
    static String ownClassPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void read(Process process, Consumer<String> said) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.accept(line);
            }
        } catch (IOException e) {
            // It was killed.
        }
    }

    /** Says a line on its standard input. */
    void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** Waits for its end; false if that does not come in time. */
    boolean awaitEnd(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it as a crash does. */
    void kill() {
        process.destroyForcibly();
        awaitEnd(10_000);
    }

    @Override
    public void close() {
        kill();
    }
}
