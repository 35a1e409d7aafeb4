package dev.syncguard.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The redis-server of this machine's kind, unpacked once for each JVM. */
final class RedisBinary {

    private static final Path PATH = unpack();

    private RedisBinary() {}

    static Path path() {
        return PATH;
    }

    private static Path unpack() {
        String name = "/redis-server-7.0.15-" + os() + "-" + architecture();
        try (InputStream in = RedisBinary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no redis-server for this machine (" + name
                        + "); set SYNCGUARD_TEST_REDIS to the URL of a running server");
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
