package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock file: where it is, and that nothing about it breaks the locks in it.
 *
 * <p>On POSIX systems, closing a file drops all locks that the process has on it, whatever they were taken with. So
 * nothing in this module ever opens the lock file but SQLite. The one exception is its creation, and every opening passes
 * through {@link #CREATING}, so that no process can have a lock yet on the file that is being created.
 */
final class DatabaseFile {

    /** Two machines that mount one of these do not share memory, and so neither the locks. */
    private static final Set<String> NETWORK = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "9p",
            "afs",
            "afpfs",
            "webdav",
            "davfs",
            "ceph",
            "lustre",
            "glusterfs",
            "fuse.glusterfs",
            "fuse.sshfs",
            "fuse.s3fs",
            "fuse.rclone");

    private static final ReentrantLock CREATING = new ReentrantLock();

    private final Path path;

    DatabaseFile(Path path) {
        this.path = path.toAbsolutePath();
    }

    /** A file that was found fit: its one true path, and what tells it from another file at the same path. */
    record Identity(Path path, @Nullable Object key) {

        /** Where SQLite keeps its write-ahead log. */
        Path log() {
            return path.resolveSibling(path.getFileName() + "-wal");
        }

        /** Where SQLite keeps what its processes share. */
        Path memory() {
            return path.resolveSibling(path.getFileName() + "-shm");
        }

        /** Whether the path still leads to the same file; it may have been deleted or replaced while open. */
        boolean isCurrent() {
            try {
                Object now =
                        Files.readAttributes(path, BasicFileAttributes.class).fileKey();
                return key == null || key.equals(now);
            } catch (IOException e) {
                return false;
            }
        }
    }

    /** Creates the file if it is missing, and refuses one that cannot keep locks. */
    Identity prepare() {
        CREATING.lock();
        try {
            OwnerOnly.createFile(path);
            return identify();
        } catch (AccessDeniedException e) {
            throw failure(Code.AUTH_FAILED, "its folder cannot be written or entered by this user", e);
        } catch (IOException e) {
            throw failure(Code.SERVICE_UNAVAILABLE, "it can be neither found nor created", e);
        } finally {
            CREATING.unlock();
        }
    }

    private Identity identify() throws IOException {
        Path real = path.toRealPath();
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw failure(Code.INVALID_ARGUMENT, "it is a folder or a device; name a file", null);
        }
        String type = fileSystem(real);
        if (NETWORK.contains(type)) {
            throw failure(
                    Code.INVALID_ARGUMENT, "it is on a network file system (" + type + "); use a local disk", null);
        }
        if (links(real) > 1) {
            throw failure(
                    Code.INVALID_ARGUMENT,
                    "it has several hard links, and each name would be a lock of its own; use symbolic links",
                    null);
        }
        if (MountPoints.contains(real)) {
            throw failure(
                    Code.INVALID_ARGUMENT,
                    "it is mounted by itself, without the files beside it, and each place would be a lock of its own; mount"
                            + " its folder",
                    null);
        }
        if (!Files.isWritable(real)) { // SQLite would open it all the same, and speak of a failed disk
            throw Files.getFileStore(real).isReadOnly()
                    ? failure(Code.SERVICE_UNAVAILABLE, "its disk is mounted read-only", null)
                    : failure(Code.AUTH_FAILED, "it cannot be written by this user", null);
        }
        return new Identity(real, attributes.fileKey());
    }

    /** The type of the file system, as the operating system calls it; empty if it does not say, as in some sandboxes. */
    static String fileSystem(Path real) {
        try {
            return Files.getFileStore(real).type();
        } catch (IOException e) {
            return "";
        }
    }

    private static int links(Path real) throws IOException {
        return OwnerOnly.isPosix(real) ? (Integer) Files.getAttribute(real, "unix:nlink") : 1;
    }

    /** The path is the user's own choice and no secret. */
    private LockException failure(Code code, String what, @Nullable Throwable cause) {
        return new LockException(code, "the lock file " + path + " cannot be used: " + what, cause);
    }
}
