package dev.syncguard.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;

/** Unpacks the server that comes as an archive on the class path, once for each version and temporary directory. */
final class PostgresBinaries {

    private PostgresBinaries() {}

    /** Returns the directory that holds {@code bin}, {@code lib} and {@code share}. */
    static Path unpacked(Path parent) throws IOException {
        URL archive = archive();
        // The path has the version in it: a directory that outlives the build (/tmp) must not give an old one.
        Path home = parent.resolve("syncguard-postgres-binaries-"
                + Integer.toHexString(archive.toString().hashCode()));
        if (!Files.exists(home)) {
            // Another process may do the same: only a complete directory gets the final name.
            Path unfinished = Files.createTempDirectory(parent, "postgres-unpacking");
            letOthersEnter(unfinished);
            unpack(archive, unfinished);
            try {
                Files.move(unfinished, home);
            } catch (FileSystemException e) {
                FileUtils.deleteDirectory(unfinished.toFile());
            }
        }
        return home;
    }

    private static void unpack(URL archive, Path home) throws IOException {
        try (InputStream in = archive.openStream();
                TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(tar, entry, home.resolve(entry.getName()));
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path file) throws IOException {
        if (entry.isDirectory()) {
            createDirectories(file);
            return;
        }
        createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, file);
            boolean executable = (entry.getMode() & 0b001_001_001) != 0;
            Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static void createDirectories(@Nullable Path directory) throws IOException {
        if (directory != null && !Files.exists(directory)) {
            createDirectories(directory.getParent());
            letOthersEnter(Files.createDirectory(directory));
        }
    }

    /** Whatever the umask: the server may run as another user than the tests. */
    private static void letOthersEnter(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static URL archive() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String name = "/postgres-" + system + "-" + processor + ".txz";
        URL archive = PostgresBinaries.class.getResource(name);
        if (archive == null) {
            throw new IllegalStateException(name + " is not on the class path: no PostgreSQL for this machine");
        }
        return archive;
    }
}
