package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The files that SQLite keeps beside the lock file. It opens those that are there, whichever user made them: in a folder
 * that others can write, another user could read keys and lock ids in them, write locks, or have a file overwritten that
 * they link to.
 */
final class SideFiles {

    private static final List<String> ENDINGS = List.of("-wal", "-shm", "-journal");

    private SideFiles() {}

    /** Throws if one of them is there and not to be trusted. SQLite creates one that is not there like the lock file. */
    static void requireTrusted(DatabaseFile.Identity file) {
        for (String ending : ENDINGS) {
            try {
                requireTrusted(file.path().resolveSibling(file.path().getFileName() + ending), file.path());
            } catch (IOException e) {
                throw new LockException(
                        Code.AUTH_FAILED,
                        "the " + ending + " file beside the lock file cannot be trusted: " + e.getMessage()
                                + "; find out who made it, and keep the lock file in a folder that others cannot write",
                        e);
            }
        }
    }

    private static void requireTrusted(Path path, Path database) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            try {
                var unused = TrustedFile.require(path, database);
            } catch (NoSuchFileException e) {
                requireTrusted(path, database); // the last session has just removed it
            }
        }
    }
}
