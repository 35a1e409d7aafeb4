package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that locks: for each line with a number of milliseconds it runs that long and answers with its cycles. */
final class SqliteWorker implements AutoCloseable {

    private final Process process;
    private final PrintWriter to;
    private final BufferedReader from;

    SqliteWorker(Path file, String key) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SqliteWorker.class.getName(),
                        file.toString(),
                        key)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        to = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        from = process.inputReader(StandardCharsets.UTF_8);
        cycles();
    }

    /**
     * The other side.
     *
     * @param arguments the file and the key
     * @throws Exception if locking fails
     */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Candidate candidate = new GuardCandidate(SqliteLockBackend.open(Path.of(arguments[0])))) {
            candidate.locked(arguments[1], Candidate.NOTHING);
            System.out.println(1);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(repeat(candidate, arguments[1], Long.parseLong(line)));
            }
        }
    }

    private static long repeat(Candidate candidate, String key, long millis) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long cycles = 0;
        while (System.nanoTime() - end < 0) {
            candidate.locked(key, Candidate.NOTHING);
            cycles++;
        }
        return cycles;
    }

    void begin(long millis) {
        to.println(millis);
    }

    long cycles() throws IOException {
        String line = from.readLine();
        if (line == null) {
            throw new IllegalStateException("a worker has ended");
        }
        return Long.parseLong(line);
    }

    /** Its input ends, and so it ends. */
    @Override
    public void close() {
        to.close();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
