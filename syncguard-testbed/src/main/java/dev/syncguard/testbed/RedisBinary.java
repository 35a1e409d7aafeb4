package dev.syncguard.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The redis-server that the tests start: the one that {@value #PROPERTY} names, or the one of the class path. */
final class RedisBinary {

    /** The path of another redis-server or valkey-server. */
    static final String PROPERTY = "syncguard.test.redis-server";

    private static final Path PATH = find(System.getProperty(PROPERTY));

    private RedisBinary() {}

    static Path path() {
        return PATH;
    }

    static Path find(@Nullable String given) {
        if (given == null) {
            return unpack();
        }
        Path path = Path.of(given);
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(PROPERTY + " names no program: " + given);
        }
        return path;
    }

    private static Path unpack() {
        String name = "/redis-server-7.0.15-" + os() + "-" + architecture();
        try (InputStream in = RedisBinary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "no redis-server for this machine (" + name + "); set -D" + PROPERTY + " to the path of one");
            }
            Path file = Files.createTempFile("redis-server-", "");
            file.toFile().deleteOnExit();
            Files.write(file, in.readAllBytes());
            if (!file.toFile().setExecutable(true)) {
                throw new IllegalStateException("cannot make " + file + " executable");
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String os() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }
}
