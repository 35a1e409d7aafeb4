package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.ListenerRegistration;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the document of one lock and wakes its waiters when it is gone.
 *
 * <p>The client opens a broken stream again by itself and then tells what changed meanwhile. It gives up only for reasons
 * that do not pass by themselves; this tries again all the same, slowly. The start is not under the map's lock, so it may
 * be asked for several times.
 */
final class LockListener {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long RESTART_SECONDS = 5;

    private final DocumentReference lock;
    private final Set<LockSubscription> waiters = ConcurrentHashMap.newKeySet();
    private final Object turn = new Object();
    private @Nullable ListenerRegistration registration;
    private boolean stopped;
    private volatile boolean active;

    LockListener(DocumentReference lock) {
        this.lock = lock;
    }

    boolean isActive() {
        return active;
    }

    void add(LockSubscription waiter) {
        waiters.add(waiter);
    }

    /** Returns whether nobody is left; the listener has ended then. */
    boolean remove(LockSubscription waiter) {
        waiters.remove(waiter);
        if (!waiters.isEmpty()) {
            return false;
        }
        stop();
        return true;
    }

    void start() {
        synchronized (turn) {
            if (registration == null && !stopped) {
                try {
                    registration = InterruptFlag.kept(() -> lock.addSnapshotListener(Runnable::run, this::changed));
                } catch (RuntimeException e) {
                    LOGGER.log(Level.DEBUG, "no listener for a release; waiters poll");
                }
            }
        }
    }

    void stop() {
        synchronized (turn) {
            stopped = true;
            active = false;
            ListenerRegistration ending = registration;
            if (ending != null) {
                InterruptFlag.kept(() -> {
                    ending.remove();
                    return ending;
                });
            }
        }
    }

    private void changed(@Nullable DocumentSnapshot snapshot, @Nullable FirestoreException failure) {
        if (snapshot == null) {
            restartLater();
            return;
        }
        boolean first = !active;
        active = true;
        if (first || !snapshot.exists()) {
            waiters.forEach(LockSubscription::wake);
        }
    }

    private void restartLater() {
        synchronized (turn) {
            active = false;
            registration = null;
        }
        CompletableFuture.delayedExecutor(RESTART_SECONDS, TimeUnit.SECONDS).execute(this::start);
    }
}
