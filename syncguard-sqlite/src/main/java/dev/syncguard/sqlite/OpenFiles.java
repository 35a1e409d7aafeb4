package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The three files that a session has open (the lock file, its log and its shared memory), and whether their names still lead
 * to them. SQLite removes none of them while a session is open; any other program that does cuts this session off from those
 * that are opened later.
 */
final class OpenFiles {

    /** What has become of the files; the worst comes last. */
    enum State {
        CURRENT("the lock file is in order"),

        /**
         * Nothing stands in the place of the log or the shared memory. What the session has open is still the truth:
         * {@link LogFiles} lets no other process begin, and each session writes the log into the lock file before it closes.
         */
        REMOVED("the -wal or -shm file beside the lock file was removed while in use; never delete them"),

        /**
         * Another log or shared memory stands in its place: another program works on the lock file, out of sight of this
         * session. Closing the session would overwrite what that program wrote.
         */
        OVERTAKEN("the -wal or -shm file beside the lock file was replaced while in use, and locks in it may be lost;"
                + " restart every process that uses the lock file"),

        /** SQLite knows of this itself, and leaves the new file alone when the session is closed. */
        REPLACED("the lock file was deleted or replaced while in use; its locks are lost");

        final String message;

        State(String message) {
            this.message = message;
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final DatabaseFile.Identity file;
    private final @Nullable Object logKey;
    private final @Nullable Object memoryKey;

    private OpenFiles(DatabaseFile.Identity file) throws IOException {
        this.file = file;
        this.logKey = key(file.log());
        this.memoryKey = key(file.memory());
    }

    /** Remembers the files of a session that has just been opened. */
    static OpenFiles of(DatabaseFile.Identity file) {
        try {
            return new OpenFiles(file);
        } catch (IOException e) {
            throw LogFiles.missing(e);
        }
    }

    State state() {
        State seen = look();
        if (seen != State.OVERTAKEN) {
            return seen;
        }
        // A process that was opening the lock file when they were removed takes back what SQLite created for it.
        try (TimeLimit limit = new TimeLimit(PATIENCE)) {
            return look(OpeningTurn.take(file, limit));
        } catch (LockException e) {
            return look(); // the file of the turn cannot be used
        }
    }

    private State look(@Nullable OpeningTurn turn) {
        try {
            return look();
        } finally {
            if (turn != null) {
                turn.close();
            }
        }
    }

    private State look() {
        if (!file.isCurrent()) {
            return State.REPLACED;
        }
        State log = state(file.log(), logKey);
        State memory = state(file.memory(), memoryKey);
        return log.compareTo(memory) > 0 ? log : memory;
    }

    private static State state(Path path, @Nullable Object key) {
        try {
            Object now = key(path);
            return key == null || key.equals(now) ? State.CURRENT : State.OVERTAKEN;
        } catch (IOException e) {
            return State.REMOVED;
        }
    }

    /** Null where the system does not tell files apart; such systems do not let go of open ones either. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }
}
