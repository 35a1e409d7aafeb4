package dev.syncguard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Run once by the launcher: puts SQLite's native library where the driver need not unpack it at each start, and goes
 * through the usual commands so that the JVM can archive their classes.
 */
final class Rehearsal {

    private Rehearsal() {}

    /**
     * Rehearses.
     *
     * @param args the directory that the launcher starts from
     * @throws IOException if it cannot be written
     */
    public static void main(String[] args) throws IOException {
        Path home = Path.of(args[0]);
        unpack(home.resolve("native"));
        String store = "sqlite:" + home.resolve("rehearsal/locks.db");
        run("acquire", "rehearsal", "--ttl", "1ms", "--backend", store);
        run("status", "rehearsal", "--backend", store);
        run("status", "rehearsal", "--backend", store, "--format", "json");
        run("ls", "--backend", store);
        run("release", "AAAAAAAAAAAAAAAAAAAAAA", "--backend", store);
        run("explain", "rehearsal");
        run("run", "rehearsal", "--backend", store, "--", "true");
    }

    private static void run(String... args) {
        Main.run(args);
    }

    private static void unpack(Path target) throws IOException {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        Files.createDirectories(target);
        try (InputStream library = Rehearsal.class.getResourceAsStream(resource)) {
            if (library != null) {
                Files.copy(library, target.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        System.setProperty("org.sqlite.lib.path", target.toString());
    }
}
