package dev.syncguard.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the whole repository, as a test of one module sees them. */
final class Repository {

    private final Path root = root();

    /** Returns the text of a document. */
    String read(String path) {
        return read(root.resolve(path));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the sources of all modules: directories of the root that have a POM. */
    List<Path> sources() {
        return entries(root, 1)
                .filter(module -> Files.exists(module.resolve("pom.xml")))
                .flatMap(module -> Stream.of(module.resolve("src/main/java"), module.resolve("src/test/java")))
                .filter(Files::isDirectory)
                .flatMap(directory -> entries(directory, Integer.MAX_VALUE))
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
    }

    static String typeName(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    private static Path root() {
        Path path = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(path.resolve("docs/spec"))) {
            path = path.getParent();
        }
        return path;
    }

    private static Stream<Path> entries(Path directory, int depth) {
        try (Stream<Path> entries = Files.walk(directory, depth)) {
            return entries.filter(entry -> !entry.equals(directory)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
