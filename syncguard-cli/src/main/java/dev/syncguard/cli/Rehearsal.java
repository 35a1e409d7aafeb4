package dev.syncguard.cli;

import java.nio.file.Path;

/** Run once by the launcher: goes through the usual commands, so that the JVM can archive their classes. */
final class Rehearsal {

    private Rehearsal() {}

    /**
     * Rehearses.
     *
     * @param args the directory that the launcher starts from
     */
    public static void main(String[] args) {
        Path home = Path.of(args[0]);
        System.setProperty("org.sqlite.lib.path", home.resolve("native").toString());
        String store = "sqlite:" + home.resolve("rehearsal/locks.db");
        run("acquire", "rehearsal", "--backend", store);
        run("status", "rehearsal", "--backend", store);
        run("status", "rehearsal", "--backend", store, "--format", "json");
        run("ls", "--backend", store);
        run("release", "AAAAAAAAAAAAAAAAAAAAAA", "--backend", store);
        run("explain", "rehearsal");
        run("run", "rehearsal-" + System.nanoTime(), "--backend", store, "--", "true");
    }

    private static void run(String... args) {
        Program.run(args);
    }
}
