package dev.syncguard.postgres;

import java.sql.Connection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Knows when a HikariCP pool cannot give out a connection that it has to test first: it tests one that was idle for more than
 * half a second, and on a silent server that test keeps the caller for seconds.
 *
 * <p>At some time the pool had n connections. If n of them were in our hands before that time and after it, these were all
 * that it had. So every connection of the pool was used after that time, by us or by others, or was opened after it.
 * Whatever others do with the connections meanwhile, and whichever the pool gives out, it is not older than that.
 *
 * <p>A pool in constant use is found to be fresh. One whose connections are not all needed is not, and neither is one that
 * lends a connection for long, to the application or to the backend itself for listening.
 */
final class FreshPool {

    /** The pool reads it when it is created. */
    private static final long TESTED_AFTER_MS = Long.getLong("com.zaxxer.hikari.aliveBypassWindowMs", 500);

    /** How long a caller may wait for a free connection. It grows older meanwhile. */
    static final long LONGEST_WAIT_MS = 150;

    /** With the wait it leaves 0.2 s for a thread that gets no processor after it has asked {@link #isFresh}. */
    private static final long FRESH_FOR = TimeUnit.MILLISECONDS.toNanos(150);

    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(10);

    /** Of connections that are not used for so long the pool may have closed many. */
    private static final long FORGOTTEN_AFTER = TimeUnit.MINUTES.toNanos(1);

    private static final class Use {
        final long first;
        volatile long last;

        Use(long now) {
            first = now;
            last = now;
        }
    }

    private final IntSupplier size;
    private final LongSupplier clock;
    private final ConcurrentMap<Connection, Use> uses = new ConcurrentHashMap<>();
    private final ReentrantLock looking = new ReentrantLock();
    private volatile long nextLook;
    private volatile long freshUntil;

    /** How many connections the pool had at some time between the other two. Changed by who holds the lock. */
    private int counted;

    private long beforeCount;
    private long afterCount;

    /**
     * Begins with a pool of which nothing is known.
     *
     * @param size how many connections it has, idle or lent
     */
    FreshPool(IntSupplier size, LongSupplier clock) {
        this.size = size;
        this.clock = clock;
        nextLook = clock.getAsLong();
        freshUntil = nextLook;
        afterCount = nextLook - FRESH_FOR;
    }

    boolean isFresh() {
        return clock.getAsLong() - freshUntil < 0 && TESTED_AFTER_MS >= 500;
    }

    /**
     * Remembers a connection that was lent to us this moment. Later it does not count: one that breaks leaves the pool while
     * it is still in our hands.
     *
     * @param connection the pool's own one, not the handle, which is new for each loan
     */
    void lent(Connection connection) {
        long now = clock.getAsLong();
        Use use = uses.get(connection);
        if (use == null) {
            uses.put(connection, new Use(now));
        } else {
            use.last = now;
        }
        if (now - nextLook >= 0 && looking.tryLock()) {
            try {
                look();
            } finally {
                looking.unlock();
            }
        }
    }

    private void look() {
        boolean all = counted > 0 && counted == ourHandsAtTheCount();
        if (all) {
            freshUntil = afterCount + FRESH_FOR;
        }
        long now = clock.getAsLong();
        if (all || now - afterCount - FRESH_FOR / 2 >= 0) {
            uses.values().removeIf(use -> now - use.last - FORGOTTEN_AFTER >= 0);
            beforeCount = clock.getAsLong();
            counted = size.getAsInt();
            afterCount = clock.getAsLong();
        }
        nextLook = now + LOOK_EVERY;
    }

    private long ourHandsAtTheCount() {
        return uses.values().stream()
                .filter(use -> use.first - beforeCount < 0 && use.last - afterCount > 0)
                .count();
    }
}
