package dev.syncguard.firestore;

import dev.syncguard.spi.FirestoreNames;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wake-ups by document listeners: one for each key that somebody waits for, dropped with the last waiter.
 *
 * <p>A listener is a stream of its own, and a connection carries a limited number of them beside the requests: keys beyond
 * the limit are polled. All changes of a listener's waiters happen inside {@code compute} of the map.
 */
final class FirestoreReleaseSignals implements ReleaseSignals, AutoCloseable {

    /** A third of the streams that a connection of the service carries, so that locks never wait for listeners. */
    static final int MOST_LISTENERS = 32;

    private final FirestoreCollections collections;
    private final ConcurrentHashMap<String, LockListener> listeners = new ConcurrentHashMap<>();
    private volatile boolean closed;

    FirestoreReleaseSignals(FirestoreCollections collections) {
        this.collections = collections;
    }

    @Override
    public Subscription subscribe(LockKey key, Runnable wakeUp) {
        String id = FirestoreNames.lock(key);
        LockSubscription subscription = new LockSubscription(wakeUp, closing -> leave(id, closing));
        LockListener listener = listeners.compute(id, (k, existing) -> {
            if (existing == null && (closed || listeners.mappingCount() >= MOST_LISTENERS)) {
                return null;
            }
            LockListener joined = existing == null ? new LockListener(collections.lock(key)) : existing;
            joined.add(subscription);
            return joined;
        });
        if (listener != null) {
            listener.start();
            subscription.joined(listener);
        }
        return subscription;
    }

    private void leave(String id, LockSubscription subscription) {
        listeners.computeIfPresent(id, (k, listener) -> listener.remove(subscription) ? null : listener);
    }

    /** For tests: how many streams are open. */
    int size() {
        return listeners.size();
    }

    @Override
    public void close() {
        closed = true;
        listeners
                .keySet()
                .forEach(id -> listeners.computeIfPresent(id, (k, listener) -> {
                    listener.stop();
                    return null;
                }));
    }
}
