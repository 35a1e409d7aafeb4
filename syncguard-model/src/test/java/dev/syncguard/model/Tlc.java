package dev.syncguard.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/** Runs TLC, each time in a JVM of its own: it keeps its state in static fields and ends with System.exit. */
final class Tlc {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private Tlc() {}

    /**
     * Checks a configuration.
     *
     * @param workers how many threads explore; with one of them a trace is the same each time
     * @param limitMinutes how long that may take
     */
    static Verdict check(Configuration configuration, int workers, int limitMinutes)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("tlc");
        String module = configuration.module();
        Files.copy(Configuration.MODELS.resolve(module + ".tla"), directory.resolve(module + ".tla"));
        Files.writeString(directory.resolve(module + ".cfg"), configuration.text());
        Path output = directory.resolve("output.txt");
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command(module, directory, workers))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(limitMinutes, TimeUnit.MINUTES)) {
                throw new AssertionError("TLC takes longer than " + limitMinutes + " minutes; see " + output);
            }
        } finally {
            process.destroyForcibly();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return Verdict.of(Files.readString(output), process.exitValue(), seconds);
    }

    private static String jar() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> command(String module, Path directory, int workers) {
        List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-XX:+UseSerialGC", "-Xmx1g"));
        if (workers == 1) {
            command.add("-XX:TieredStopAtLevel=1"); // over before the better compiler is done
        }
        command.addAll(List.of("-Djava.io.tmpdir=" + directory, "-cp", jar()));
        command.addAll(List.of("tlc2.TLC", "-nowarning", "-fp", "0", "-workers", Integer.toString(workers)));
        command.addAll(List.of("-metadir", directory.toString(), module));
        return command;
    }
}
