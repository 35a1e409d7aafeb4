package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Opens sessions on the log and the shared memory that other processes use.
 *
 * <p>They are looked at before SQLite opens them ({@link LogFiles}) and once more after that, when the session's shared
 * lock on the lock file keeps any process from removing them in good order. If they are not the same, they were removed in
 * between: either by the last process that closed the file, or under a process that still has the old ones, and then SQLite
 * created new ones that share nothing with it. So the session is closed before it wrote anything, what it created is
 * removed, and the next attempt finds the truth.
 */
final class Opening {

    private static final long LONGEST_PAUSE = 5_000_000;

    private Opening() {}

    static Session open(DatabaseFile.Identity file, TimeLimit limit) throws SQLException {
        LockException failure = new LockException(
                Code.NETWORK_TIMEOUT,
                "another process takes too long to open the lock file; look for one that is stopped");
        while (true) {
            try (OpeningTurn turn = OpeningTurn.take(file, limit)) {
                Session session = turn == null ? null : attempt(file, turn, limit);
                if (session != null) {
                    return session;
                }
                if (turn != null) {
                    failure = LogFiles.missing(null);
                }
            }
            if (limit.isOver()) {
                throw failure;
            }
            limit.pause(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
        }
    }

    /** Null if the files are not those that other processes use. */
    private static @Nullable Session attempt(DatabaseFile.Identity file, OpeningTurn turn, TimeLimit limit)
            throws SQLException {
        Session session = Session.open(file, limit);
        if (session == null) {
            return null;
        }
        LogFiles before = session.found();
        boolean sound = false;
        try {
            session.query("SELECT count(*) FROM sqlite_master", ResultSet::next); // opens the files, if they are there
            if (before.isReplaced(file)) {
                return again(turn);
            }
            SqliteSchema.ensure(session, limit);
            session.begin();
            sound = !before.isReplaced(file) && turn.isAlone();
            return sound ? session : again(turn);
        } catch (SQLException e) {
            // An old index in the memory of this process and a new log make no sense to SQLite.
            if (before.isReplaced(file)) {
                return again(turn);
            }
            throw e;
        } finally {
            if (!sound) {
                LogFiles created = LogFiles.of(file);
                session.close();
                if (turn.isAlone() && before.isComplete()) {
                    remove(file.log(), before.log(), created.log());
                    remove(file.memory(), before.memory(), created.memory());
                }
            }
        }
    }

    /** Without the turn nothing is removed, and the next attempt could find what SQLite created for this one. */
    private static @Nullable Session again(OpeningTurn turn) {
        if (!turn.isAlone()) {
            throw LogFiles.missing(null);
        }
        return null;
    }

    /** Removes what was not there before. SQLite has done so itself if no other process has the lock file open. */
    private static void remove(Path path, @Nullable Object before, @Nullable Object created) {
        if (created != null && !created.equals(before) && Objects.equals(created, LogFiles.key(path))) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                // It stays, and the process with the old one says what to do.
            }
        }
    }
}
