package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets the processes open a lock file one after the other, by a lock on a hidden file beside it.
 *
 * <p>SQLite creates the log and the shared memory if they are missing. If they were removed a moment ago under another
 * process, a session must not begin on the new ones, nor leave them behind for the next to find ({@link Opening}). The
 * process that has the turn knows that no other process of ours found them meanwhile.
 *
 * <p>Who does not get the turn, because a process was stopped in it or the file cannot be used, must not open the lock
 * file: what SQLite creates for it could stay, and the next one would take it for that of the others.
 */
final class OpeningTurn implements AutoCloseable {

    private static final Map<Path, ReentrantLock> LINES = new ConcurrentHashMap<>();
    private static final long PAUSE = 500_000;

    private final Path path;
    private final ReentrantLock line;
    private final @Nullable FileChannel channel;
    private final @Nullable Object key;

    private OpeningTurn(Path path, ReentrantLock line, @Nullable FileChannel channel, @Nullable Object key) {
        this.path = path;
        this.line = line;
        this.channel = channel;
        this.key = key;
    }

    /** Hidden, so that it is not removed together with what stands beside the lock file ({@code rm locks.db-*}). */
    static Path path(DatabaseFile.Identity file) {
        return file.path().resolveSibling("." + file.path().getFileName() + "-opening");
    }

    /** Waits for the turn as long as there is time; null if others have it all the while. A thread that has it may take it again. */
    static @Nullable OpeningTurn take(DatabaseFile.Identity file, TimeLimit limit) {
        Path path = path(file);
        ReentrantLock line = LINES.computeIfAbsent(file.path(), database -> new ReentrantLock());
        while (!line.tryLock()) {
            if (limit.isOver()) {
                return null;
            }
            limit.pause(PAUSE);
        }
        if (line.getHoldCount() > 1) {
            return new OpeningTurn(path, line, null, null);
        }
        OpeningTurn turn = null;
        try {
            turn = lock(file.path(), path, line, limit);
        } catch (IOException e) {
            throw new LockException(
                    e instanceof AccessDeniedException ? Code.AUTH_FAILED : Code.SERVICE_UNAVAILABLE,
                    "the file " + path + ", in which processes take turns to open the lock file, cannot be used: "
                            + e.getMessage() + "; delete it, and look at its folder's permissions",
                    e);
        } finally {
            if (turn == null) {
                line.unlock();
            }
        }
        return turn;
    }

    /** Null if other processes keep the file locked. A lock on a file that was removed meanwhile is none. */
    private static @Nullable OpeningTurn lock(Path database, Path path, ReentrantLock line, TimeLimit limit)
            throws IOException {
        while (!limit.isOver()) {
            FileChannel channel = QueueFile.open(path, database, 0);
            OpeningTurn turn = new OpeningTurn(path, line, channel, LogFiles.key(path));
            boolean locked = false;
            try {
                while (!locked && turn.isAlone() && !limit.isOver()) {
                    locked = tryLock(channel) && turn.isAlone();
                    limit.pause(locked ? 0 : PAUSE);
                }
                if (locked) {
                    return turn;
                }
            } finally {
                if (!locked) {
                    channel.close();
                }
            }
        }
        return null;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(); // ends with the channel
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // another copy of this class, from another class loader
        }
    }

    /** Whether no other process of ours is opening the file now: this one has the lock, on the file that others would lock. */
    boolean isAlone() {
        return key != null && key.equals(LogFiles.key(path));
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The lock ends with it all the same.
        } finally {
            line.unlock();
        }
    }
}
