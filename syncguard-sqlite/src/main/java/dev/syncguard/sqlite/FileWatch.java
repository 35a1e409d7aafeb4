package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * Looks at the lock file while there are waiters: whether any other session committed anything, which costs microseconds,
 * and only then at the keys. The longer nothing happens, the less often it looks. Ends by itself without waiters.
 */
final class FileWatch implements Runnable {

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(16);
    private static final long AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LINGER = TimeUnit.SECONDS.toNanos(1);

    private final Sessions sessions;
    private final List<WatchedKey> watched;
    private final ReentrantLock guard = new ReentrantLock();
    private final Condition called = guard.newCondition();
    private boolean news = true;
    private boolean ended;

    private long lastVersion;
    private long pause = SHORTEST;
    private long idleSince = System.nanoTime();

    private FileWatch(Sessions sessions, List<WatchedKey> watched) {
        this.sessions = sessions;
        this.watched = watched;
    }

    static FileWatch start(Sessions sessions, List<WatchedKey> watched, BiConsumer<String, Runnable> starter) {
        FileWatch watch = new FileWatch(sessions, watched);
        starter.accept("syncguard-sqlite-watch", watch);
        return watch;
    }

    /** Lets it look at once, because there is a new waiter; false if it has ended. */
    boolean awake() {
        guard.lock();
        try {
            news = true;
            called.signal();
            return !ended;
        } finally {
            guard.unlock();
        }
    }

    void close() {
        guard.lock();
        try {
            ended = true;
            called.signal();
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void run() {
        while (goOn()) {
            try (TimeLimit limit = sessions.begin(AbortSignal.none());
                    Session session = sessions.open(limit)) {
                lastVersion = -1;
                while (goOn() && session.state() == OpenFiles.State.CURRENT) {
                    look(session);
                    sleep(pause);
                }
            } catch (Throwable e) {
                // Whatever it is, the waiters rely on this thread; meanwhile they poll.
                watched.forEach(WatchedKey::forget);
                sleep(AFTER_FAILURE);
            }
        }
        watched.forEach(WatchedKey::forget);
    }

    private void look(Session session) throws SQLException {
        // The version first: what is committed after this line shows at the next look.
        long version = session.query("PRAGMA data_version", rows -> rows.getLong(1));
        boolean changed = version != lastVersion;
        lastVersion = version;
        pause = changed ? SHORTEST : Math.min(LONGEST, pause * 5 / 4);
        for (WatchedKey key : watched) {
            if (changed || !key.isActive()) {
                key.look(session);
            }
        }
    }

    /** Whether there are or just were waiters. The end is decided under the guard, so that no new waiter slips by. */
    private boolean goOn() {
        guard.lock();
        try {
            if (news || !watched.isEmpty()) {
                idleSince = System.nanoTime();
            }
            news = false;
            ended |= System.nanoTime() - idleSince > LINGER;
            return !ended;
        } finally {
            guard.unlock();
        }
    }

    private void sleep(long nanos) {
        guard.lock();
        try {
            long left = nanos;
            while (!news && !ended && left > 0) {
                left = called.awaitNanos(left);
            }
            pause = news ? SHORTEST : pause;
        } catch (InterruptedException e) {
            ended = true;
        } finally {
            guard.unlock();
        }
    }
}
