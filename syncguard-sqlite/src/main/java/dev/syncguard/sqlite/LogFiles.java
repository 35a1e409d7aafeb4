package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Log and shared memory as their names lead to them at one moment; null where there is nothing.
 *
 * <p>A session must not begin beside one whose log or shared memory was removed: SQLite would create new ones, and the two
 * sessions would share neither locks nor data. The files are missing for a good reason only if no process has the lock file
 * open: the last one removes them when it closes. A process that has it open holds a shared lock on it, so getting the
 * exclusive one proves that there is none.
 */
record LogFiles(@Nullable Object log, @Nullable Object memory) {

    static LogFiles of(DatabaseFile.Identity file) {
        return new LogFiles(key(file.log()), key(file.memory()));
    }

    /** What is there, or nothing if no process has the lock file open; null if something is missing that others may use. */
    static @Nullable LogFiles ifIntact(DatabaseFile.Identity file) throws SQLException {
        LogFiles found = of(file);
        if (found.isComplete()) {
            return found;
        }
        return Connections.isUnused(file) ? new LogFiles(null, null) : null;
    }

    boolean isComplete() {
        return log != null && memory != null;
    }

    /** Whether there were both, and now there is another one or none. */
    boolean isReplaced(DatabaseFile.Identity file) {
        return isComplete() && !equals(of(file));
    }

    /** What tells the file from another one, where the system knows; null if there is none. */
    static @Nullable Object key(Path path) {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return key == null ? path : key;
        } catch (IOException e) {
            return null;
        }
    }

    static LockException missing(@Nullable Throwable cause) {
        return new LockException(
                Code.SERVICE_UNAVAILABLE,
                "the -wal or -shm file beside the lock file is missing although another process has it open: that process is just opening it, or the file was removed; let it"
                        + " use a lock or restart it, and it writes what was in them into the lock file",
                cause);
    }
}
