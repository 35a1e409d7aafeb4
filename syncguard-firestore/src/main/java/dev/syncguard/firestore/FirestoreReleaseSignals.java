package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentReference;
import dev.syncguard.LockKey;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.support.WakeUp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Release notifications by document listeners: one for each key that has a waiter, dropped with the last of them.
 *
 * <p>A listener is a stream of its own, and a connection carries a limited number of them beside the requests: keys beyond
 * the limit are polled. Listeners start and stop outside the lock of the map.
 */
final class FirestoreReleaseSignals implements ReleaseSignals, AutoCloseable {

    /** A third of the streams that a connection of the service carries, so that locks never wait for listeners. */
    static final int MOST_LISTENERS = 32;

    private final FirestoreCollections collections;
    private final ReentrantLock turn = new ReentrantLock();
    private final Map<String, LockListener> listeners = new HashMap<>();
    private boolean closed;

    FirestoreReleaseSignals(FirestoreCollections collections) {
        this.collections = collections;
    }

    @Override
    public Subscription subscribe(LockKey key, Runnable wakeUp) {
        DocumentReference document = collections.lock(key);
        WakeUp subscription = new WakeUp(wakeUp);
        LockListener listener = join(document, subscription);
        if (listener != null) {
            listener.start();
            subscription.join(listener::isActive, () -> leave(document.getId(), listener, subscription));
        }
        return subscription;
    }

    private @Nullable LockListener join(DocumentReference document, WakeUp subscription) {
        turn.lock();
        try {
            LockListener listener = listeners.get(document.getId());
            if (listener == null) {
                if (closed || listeners.size() >= MOST_LISTENERS) {
                    return null;
                }
                listener = new LockListener(document);
                listeners.put(document.getId(), listener);
            }
            listener.add(subscription);
            return listener;
        } finally {
            turn.unlock();
        }
    }

    private void leave(String id, LockListener listener, WakeUp subscription) {
        turn.lock();
        try {
            if (!listener.remove(subscription)) {
                return;
            }
            listeners.remove(id, listener);
        } finally {
            turn.unlock();
        }
        listener.stop();
    }

    /** For tests: how many streams are open. */
    int size() {
        turn.lock();
        try {
            return listeners.size();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        List<LockListener> ending;
        turn.lock();
        try {
            closed = true;
            ending = List.copyOf(listeners.values());
            listeners.clear();
        } finally {
            turn.unlock();
        }
        ending.forEach(LockListener::stop);
    }
}
