package dev.syncguard.postgres;

import dev.syncguard.spi.support.WakeUp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys that somebody in this process waits for, shared by the waiters and the listener.
 *
 * <p>A key stays registered for a while after its last waiter has gone, because the next one often comes soon.
 */
final class WaitedKeys {

    /** Each registered key takes a place in the server's lock table, which all sessions share. The rest polls. */
    static final int MOST_REGISTERED = 256;

    private static final long LINGER = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition changed = guard.newCondition();
    private final Map<String, Entry> entries = new HashMap<>();
    private int registered;
    private boolean closed;

    private static final class Entry {
        private final List<WakeUp> waiters = new ArrayList<>();
        private volatile boolean registered;
        private long hash;
        private long idleSince;
    }

    WakeUp add(String key, Runnable wakeUp) {
        WakeUp waiter = new WakeUp(wakeUp);
        Entry entry;
        guard.lock();
        try {
            entry = entries.computeIfAbsent(key, name -> new Entry());
            entry.waiters.add(waiter);
            changed.signalAll();
        } finally {
            guard.unlock();
        }
        waiter.join(() -> entry.registered, () -> remove(entry, waiter));
        return waiter;
    }

    private void remove(Entry entry, WakeUp waiter) {
        guard.lock();
        try {
            entry.waiters.remove(waiter);
            entry.idleSince = System.nanoTime();
        } finally {
            guard.unlock();
        }
    }

    // ---- for the listener

    /** Waits until there is a key to listen for; false after the time, or if closed. */
    boolean await(long nanos) {
        guard.lock();
        try {
            long left = nanos;
            while (entries.isEmpty() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !entries.isEmpty() && !closed;
        } catch (InterruptedException e) {
            return false;
        } finally {
            guard.unlock();
        }
    }

    /** Waits after a failure; ends early if closed. */
    void pause(long nanos) {
        guard.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            guard.unlock();
        }
    }

    boolean isClosed() {
        guard.lock();
        try {
            return closed;
        } finally {
            guard.unlock();
        }
    }

    /** Returns the keys that wait to be registered, as many as there is room for. */
    List<String> unregistered() {
        guard.lock();
        try {
            return entries.entrySet().stream()
                    .filter(entry -> !entry.getValue().registered
                            && !entry.getValue().waiters.isEmpty())
                    .limit(MOST_REGISTERED - registered)
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            guard.unlock();
        }
    }

    /** The server confirmed a key: its waiters look once more, for what happened before. */
    void registered(String key, long hash) {
        List<WakeUp> waiters = List.of();
        guard.lock();
        try {
            // Only the listener removes entries, so this one is still here.
            Entry entry = entries.get(key);
            if (entry != null) {
                entry.hash = hash;
                entry.registered = true;
                registered++;
                waiters = List.copyOf(entry.waiters);
            }
        } finally {
            guard.unlock();
        }
        waiters.forEach(WakeUp::wake);
    }

    /** Forgets the keys that nobody has waited for lately; returns the hashes of those that were registered. */
    List<Long> takeIdle() {
        List<Long> hashes = new ArrayList<>();
        long now = System.nanoTime();
        guard.lock();
        try {
            Iterator<Entry> all = entries.values().iterator();
            while (all.hasNext()) {
                Entry entry = all.next();
                if (entry.waiters.isEmpty() && (!entry.registered || now - entry.idleSince > LINGER)) {
                    all.remove();
                    if (entry.registered) {
                        entry.registered = false;
                        registered--;
                        hashes.add(entry.hash);
                    }
                }
            }
        } finally {
            guard.unlock();
        }
        return hashes;
    }

    /** A release was told. */
    void wake(long hash) {
        List<WakeUp> waiters = new ArrayList<>();
        guard.lock();
        try {
            for (Entry entry : entries.values()) {
                if (entry.registered && entry.hash == hash) {
                    waiters.addAll(entry.waiters);
                }
            }
        } finally {
            guard.unlock();
        }
        waiters.forEach(WakeUp::wake);
    }

    /** The connection is gone, and with it every registration; returns the hashes it held. */
    List<Long> disconnected() {
        guard.lock();
        try {
            List<Long> hashes = entries.values().stream()
                    .filter(entry -> entry.registered)
                    .map(entry -> entry.hash)
                    .toList();
            entries.values().forEach(entry -> entry.registered = false);
            registered = 0;
            return hashes;
        } finally {
            guard.unlock();
        }
    }

    void close() {
        guard.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            guard.unlock();
        }
    }
}
