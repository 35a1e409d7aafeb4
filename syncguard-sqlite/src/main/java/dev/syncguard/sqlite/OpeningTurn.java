package dev.syncguard.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets the processes open a lock file one after the other, by a lock on the file {@code -opening} beside it.
 *
 * <p>SQLite creates the log and the shared memory if they are missing. If they were removed a moment ago under another process,
 * a session must not begin on the new ones, nor leave them behind for the next to find ({@link Opening}). Whoever has the turn
 * knows that no other process of ours found them meanwhile.
 *
 * <p>Nobody waits for long: who does not get the turn, because a process was stopped in it or the file cannot be used, goes on
 * without, and then removes nothing.
 */
final class OpeningTurn implements AutoCloseable {

    private static final Map<Path, ReentrantLock> LINES = new ConcurrentHashMap<>();
    private static final long PAUSE = 500_000;

    private final ReentrantLock line;
    private final @Nullable FileChannel channel;
    private final boolean entered;
    private final boolean alone;

    private OpeningTurn(ReentrantLock line, boolean entered, @Nullable FileChannel channel, boolean alone) {
        this.line = line;
        this.entered = entered;
        this.channel = channel;
        this.alone = alone;
    }

    /** Waits for the turn, for half of the time that is left. A thread that has it may take it again. */
    static OpeningTurn take(DatabaseFile.Identity file, TimeLimit limit) {
        ReentrantLock line = LINES.computeIfAbsent(file.path(), path -> new ReentrantLock());
        if (line.isHeldByCurrentThread()) {
            line.lock();
            return new OpeningTurn(line, true, null, false);
        }
        long patience = limit.leftNanos() / 2;
        while (!line.tryLock()) {
            if (limit.leftNanos() <= patience) {
                return new OpeningTurn(line, false, null, false);
            }
            limit.pause(PAUSE);
        }
        try {
            FileChannel locked = lock(file.path(), limit, patience);
            return new OpeningTurn(line, true, locked, locked != null);
        } catch (IOException e) {
            return new OpeningTurn(line, true, null, false);
        }
    }

    /** Null if other processes keep the file locked. */
    private static @Nullable FileChannel lock(Path database, TimeLimit limit, long patience) throws IOException {
        FileChannel channel = QueueFile.open(database, "-opening", 0);
        boolean locked = false;
        try {
            while (!locked && limit.leftNanos() > patience) {
                locked = tryLock(channel);
                if (!locked) {
                    limit.pause(PAUSE);
                }
            }
            return locked ? channel : null;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(); // ends with the channel
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // another copy of this class, from another class loader
        }
    }

    /** Whether no other process of ours is opening the file now. */
    boolean isAlone() {
        return alone;
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
            if (entered) {
                line.unlock();
            }
        }
    }
}
