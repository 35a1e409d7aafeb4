package dev.syncguard.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Creates files and folders that only their owner can use, where the system knows such permissions. What exists is left as
 * it is. SQLite gives the files that it puts beside the lock file the permissions of that.
 */
final class OwnerOnly {

    private static final FileAttribute<?>[] NONE = {};

    private OwnerOnly() {}

    static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Creates a file and the folders above it, unless it is there already, without opening one that is. */
    static void createFile(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path folder = Objects.requireNonNull(file.getParent(), "only a root has no folder, and that exists");
        Files.createDirectories(folder, only(file, "rwx------"));
        if (createNew(file)) {
            persist(folder);
        }
    }

    /** Creates a file; false if there is something of that name. */
    static boolean createNew(Path file) throws IOException {
        try {
            Files.createFile(file, only(file, "rw-------"));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : NONE;
    }

    /** A new file must not be lost with the power: its fences would start again. Windows cannot open a folder. */
    private static void persist(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Then the file system decides when the entry is on the disk.
        }
    }
}
