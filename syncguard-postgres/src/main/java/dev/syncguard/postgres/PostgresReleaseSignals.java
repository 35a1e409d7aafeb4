package dev.syncguard.postgres;

import dev.syncguard.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.StoreThreads;
import dev.syncguard.spi.support.WakeUp;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wakes waiters by NOTIFY, on one connection that listens while somebody waits.
 *
 * <p>The listening session holds a shared advisory lock for each key that is waited for, and a release notifies only if it
 * cannot get that lock exclusively. No wake-up is missed: a release that got it keeps it until its deletion is committed,
 * so a waiter that registers after it makes its attempt after the commit and finds the key free; a release that comes
 * after the registration cannot get it and notifies.
 */
final class PostgresReleaseSignals implements ReleaseSignals, AutoCloseable {

    private final StorageKeys keys;
    private final WaitedKeys waited = new WaitedKeys();
    private final PostgresListener listener;
    private final long closeMillis;
    private final ReentrantLock starting = new ReentrantLock();
    private final BiFunction<String, Runnable, Thread> starter;
    private volatile @Nullable Thread thread;

    PostgresReleaseSignals(
            DataSource source, PostgresConnections connections, PostgresChannel channel, StorageKeys keys) {
        this(source, connections, channel, keys, StoreThreads::start);
    }

    PostgresReleaseSignals(
            DataSource source,
            PostgresConnections connections,
            PostgresChannel channel,
            StorageKeys keys,
            BiFunction<String, Runnable, Thread> starter) {
        this.keys = keys;
        this.starter = starter;
        this.listener = new PostgresListener(source, connections, channel, waited);
        this.closeMillis = connections.commandTimeout().toMillis();
    }

    @Override
    public Subscription subscribe(LockKey key, Runnable wakeUp) {
        WakeUp waiter = waited.add(keys.lock(key), wakeUp);
        try {
            if (thread == null) {
                start();
            }
        } catch (Throwable e) {
            waiter.close(); // out of threads: nobody would ever leave this place
            throw e;
        }
        return waiter;
    }

    private void start() {
        starting.lock();
        try {
            if (thread == null) {
                thread = starter.apply("syncguard-postgres-listener", listener);
            }
        } finally {
            starting.unlock();
        }
    }

    /** Ends the listener and waits until it has given its connection back, but not for ever. */
    @Override
    public void close() {
        waited.close();
        Thread running = thread;
        if (running != null) {
            try {
                running.join(closeMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
