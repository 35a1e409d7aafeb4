package dev.syncguard.sqlite;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the processes: a file with two numbers that all of them map into their memory, and a place for each turn.
 *
 * <p>A process locks the byte of the next place, only then counts its number as drawn, and waits until no byte before it
 * is locked, back to the place that was served last. So a process that draws a number behind it finds its byte locked for
 * certain. (The other way round one could look in between, and two would go at once; SQLite lets one of them poll, while
 * all the others pass it in turn.) The operating system unlocks the place of a process that dies. One that is stopped keeps
 * its place; those behind it go past after a while, and later ones look back no further than to them and does not
 * meet it. Nothing here can fail in a way that matters more than the order: a number that is lost or drawn twice lets
 * somebody go too early.
 */
final class PlaceFile implements AutoCloseable {

    private static final VarHandle NUMBERS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int NEXT = 0;
    private static final int SERVED = 8;
    private static final int LAST_BYTE = 15;

    /** Places lie far behind the numbers: Windows lets no process touch a byte that is locked. */
    static final long PLACES = 1L << 20;

    /** Relative to the places; between them and the numbers. */
    private static final long COUNTING = -16;

    private static final long COUNT_PAUSE = 5_000;

    /** How long the next one sleeps between two looks, longer each time; those further behind sleep longer. */
    private static final long NEXT_PAUSE = 50_000;

    private static final long PLACE_PAUSE = 200_000;
    private static final long LONGEST_PAUSE = 2_000_000;

    private final FileChannel channel;
    private final ByteBuffer numbers;
    private @Nullable FileLock place;

    private PlaceFile(FileChannel channel) throws IOException {
        this.channel = channel;
        if (channel.size() <= LAST_BYTE) {
            // Written, not skipped: memory over a hole cannot be written when the disk is full.
            channel.write(ByteBuffer.allocate(1), LAST_BYTE);
        }
        this.numbers = channel.map(FileChannel.MapMode.READ_WRITE, 0, LAST_BYTE + 1);
    }

    /** Opens the queue of a lock file. */
    static PlaceFile open(Path database) throws IOException {
        FileChannel channel =
                QueueFile.open(database.resolveSibling(database.getFileName() + "-queue"), database, LAST_BYTE + 1);
        try {
            return new PlaceFile(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Waits for the turn, for half of the time that is left. */
    void take(TimeLimit limit) throws IOException {
        long patience = limit.leftNanos() / 2;
        long number = draw(limit, patience);
        FileLock before = tryLockAllBefore(number);
        int looks = 0;
        while (before == null && limit.leftNanos() > patience) {
            long ahead = number - served();
            looks = ahead > 1 ? 0 : looks + 1;
            long pause = ahead > 1 ? ahead * PLACE_PAUSE : NEXT_PAUSE + looks * NEXT_PAUSE / 8;
            limit.pause(Math.min(pause, LONGEST_PAUSE));
            before = tryLockAllBefore(number);
        }
        NUMBERS.setVolatile(numbers, SERVED, number);
        if (before != null) {
            before.release();
        }
    }

    private long draw(TimeLimit limit, long patience) throws IOException {
        while (limit.leftNanos() > patience) {
            long number = drawn();
            place = tryLock(number, 1);
            if (place == null) {
                letDraw(number, limit, patience);
            } else if (count(number, limit, patience)) {
                return number;
            } else {
                leave(); // another process was in this place and has left it
            }
        }
        throw locked();
    }

    /** A process has locked a place and counts it in a moment, or was stopped in between: then the number is left out. */
    private void letDraw(long number, TimeLimit limit, long patience) throws IOException {
        if (drawn() == number) {
            limit.pause(NEXT_PAUSE);
            count(number, limit, patience);
        }
    }

    /**
     * Counts a number as drawn, unless it is counted already. Under a lock and not by compareAndSet: if the file is cut
     * off under its mapping, the JVM turns the fault of a plain access into an error, but dies of that of a compareAndSet.
     */
    private boolean count(long number, TimeLimit limit, long patience) throws IOException {
        FileLock counting = tryLock(COUNTING, 1);
        while (counting == null && limit.leftNanos() > patience) {
            limit.pause(COUNT_PAUSE);
            counting = tryLock(COUNTING, 1);
        }
        if (counting == null) {
            throw locked();
        }
        try {
            boolean isNext = drawn() == number;
            if (isNext) {
                NUMBERS.setVolatile(numbers, NEXT, number + 1);
            }
            return isNext;
        } finally {
            counting.release();
        }
    }

    private static IOException locked() {
        return new IOException("another program keeps locks on it");
    }

    /** How many numbers have been drawn so far. */
    long drawn() {
        return (long) NUMBERS.getVolatile(numbers, NEXT);
    }

    private long served() {
        return (long) NUMBERS.getVolatile(numbers, SERVED);
    }

    private @Nullable FileLock tryLockAllBefore(long number) throws IOException {
        long first = Math.min(served(), number - 1);
        return tryLock(first, number - first);
    }

    private @Nullable FileLock tryLock(long number, long count) throws IOException {
        try {
            return channel.tryLock(PLACES + number, count, false);
        } catch (OverlappingFileLockException e) {
            return null; // another copy of this class, from another class loader, is in that place
        }
    }

    void leave() throws IOException {
        FileLock left = place;
        place = null;
        if (left != null) {
            left.release();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Its locks end with it all the same.
        }
    }
}
