package dev.syncguard.cli;

import dev.syncguard.cli.text.StandardStreams;
import java.io.IOException;
import java.nio.file.Path;

/** Run once for each JDK: goes through the usual commands, so that the JVM can archive their classes. */
final class Rehearsal {

    private Rehearsal() {}

    /**
     * Rehearses.
     *
     * @param args the installation, and the store
     * @throws IOException if there is no port to listen on
     */
    public static void main(String[] args) throws IOException {
        System.setProperty(
                "org.sqlite.lib.path", Path.of(args[0]).resolve("native").toString());
        StandardStreams.err(Main.class.getSimpleName() + "\n"); // loads it
        if (args[1].equals("redis")) {
            try (RehearsalServer server = new RehearsalServer()) {
                usual(server.url());
            }
        }
        usual("sqlite:");
        System.exit(0);
    }

    private static void usual(String store) {
        run("status", "rehearsal", "--backend", store);
        run("status", "rehearsal", "--backend", store, "--format", "json");
        run("acquire", "rehearsal", "--backend", store);
        run("ls", "--backend", store);
        run("release", "AAAAAAAAAAAAAAAAAAAAAA", "--backend", store);
        run("explain", "rehearsal");
        run("run", "rehearsal-" + System.nanoTime(), "--backend", store, "--fail-fast", "--", "true");
    }

    private static void run(String... args) {
        Program.run(args);
    }
}
