package dev.syncguard.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** A worker process, seen from the demo: tells what it says, and can be paused. */
final class Worker implements AutoCloseable {

    /** What a worker "says" when it has ended. */
    static final String GONE = "gone";

    private final String name;
    private final Process process;

    private Worker(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    static Worker start(String name, Path store, BiConsumer<Worker, String> listener) throws IOException {
        String launcher = System.getProperty("syncguard.launcher", "syncguard");
        Process process = new ProcessBuilder(launcher, DemoWorker.NAME, store.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Worker worker = new Worker(name, process);
        Thread reader = new Thread(() -> worker.read(listener), name);
        reader.setDaemon(true);
        reader.start();
        return worker;
    }

    private void read(BiConsumer<Worker, String> listener) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(this, line);
            }
        } catch (IOException e) {
            process.destroyForcibly();
        }
        listener.accept(this, GONE);
    }

    String name() {
        return name;
    }

    /** Lets it write. */
    void go() throws IOException {
        OutputStream ear = process.getOutputStream();
        ear.write('\n');
        ear.flush();
    }

    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
