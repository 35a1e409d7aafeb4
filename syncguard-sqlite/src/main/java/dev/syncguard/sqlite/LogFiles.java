package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Lets no session begin beside one whose log or shared memory was removed.
 *
 * <p>SQLite would create new ones, and the two sessions would share neither locks nor data. The files are missing for a good
 * reason only if no process has the lock file open: the last one removes them when it closes. Whoever has it open holds a
 * shared lock on it, so getting the exclusive one proves that there is nobody.
 */
final class LogFiles {

    private static final long LONGEST_PAUSE = 5_000_000;

    private LogFiles() {}

    /** Waits until the files are there or nobody else has the lock file open: others may be opening or closing it. */
    static void requireIntact(DatabaseFile.Identity file, TimeLimit limit) throws SQLException {
        while (isMissing(file) && !Connections.isUnused(file)) {
            if (limit.isOver()) {
                throw missing(null);
            }
            limit.pause(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
        }
    }

    private static boolean isMissing(DatabaseFile.Identity file) {
        return !Files.exists(file.log()) || !Files.exists(file.memory());
    }

    static LockException missing(@Nullable Throwable cause) {
        return new LockException(
                Code.SERVICE_UNAVAILABLE,
                "the -wal or -shm file beside the lock file is missing although another process has it open: that process is just opening it, or the file was removed; let it"
                        + " use a lock or restart it, and it writes what was in them into the lock file",
                cause);
    }
}
