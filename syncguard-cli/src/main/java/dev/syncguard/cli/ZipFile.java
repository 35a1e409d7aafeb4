package dev.syncguard.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Run once by the packaging: packs a directory with the rights of its files, which the jar tool leaves out. */
final class ZipFile {

    private ZipFile() {}

    /**
     * Packs.
     *
     * @param args the file to make, and the directory, which is part of it
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[1]).toAbsolutePath();
        Path parent = directory.getParent();
        URI uri = URI.create("jar:" + Path.of(args[0]).toUri());
        try (FileSystem zip =
                        FileSystems.newFileSystem(uri, Map.of("create", "true", "enablePosixFileAttributes", "true"));
                Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted().toList()) {
                Path entry = zip.getPath("/")
                        .resolve((parent == null ? file : parent.relativize(file))
                                .toString()
                                .replace('\\', '/'));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(entry);
                } else {
                    Files.write(entry, Files.readAllBytes(file));
                }
                Files.setPosixFilePermissions(entry, Files.getPosixFilePermissions(file));
            }
        }
    }
}
