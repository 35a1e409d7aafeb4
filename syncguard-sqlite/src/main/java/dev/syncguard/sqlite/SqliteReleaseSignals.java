package dev.syncguard.sqlite;

import dev.syncguard.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.StoreThreads;
import dev.syncguard.spi.support.WakeUp;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes waiters of this process when a key changes hands, in whatever process that happens. While there are waiters, a
 * thread looks at the file every few milliseconds; who releases does nothing for it.
 */
final class SqliteReleaseSignals implements ReleaseSignals, AutoCloseable {

    private final Sessions sessions;
    private final StorageKeys keys;
    private final List<WatchedKey> watched = new CopyOnWriteArrayList<>();
    private final ReentrantLock starting = new ReentrantLock();
    private final BiConsumer<String, Runnable> starter;
    private @Nullable FileWatch watch;
    private boolean closed;

    SqliteReleaseSignals(Sessions sessions, StorageKeys keys) {
        this(sessions, keys, StoreThreads::start);
    }

    SqliteReleaseSignals(Sessions sessions, StorageKeys keys, BiConsumer<String, Runnable> starter) {
        this.sessions = sessions;
        this.keys = keys;
        this.starter = starter;
    }

    @Override
    public Subscription subscribe(LockKey key, Runnable wakeUp) {
        WakeUp waiter = new WakeUp(wakeUp);
        WatchedKey watchedKey = new WatchedKey(keys.lock(key), keys.fence(key), waiter);
        waiter.join(watchedKey::isActive, () -> watched.remove(watchedKey));
        watched.add(watchedKey);
        starting.lock();
        try {
            if (!closed && (watch == null || !watch.awake())) {
                watch = FileWatch.start(sessions, watched, starter);
            }
        } catch (Throwable e) {
            waiter.close(); // out of threads: no caller would ever leave this place
            throw e;
        } finally {
            starting.unlock();
        }
        return waiter;
    }

    @Override
    public void close() {
        starting.lock();
        try {
            closed = true;
            if (watch != null) {
                watch.close();
            }
        } finally {
            starting.unlock();
        }
    }
}
