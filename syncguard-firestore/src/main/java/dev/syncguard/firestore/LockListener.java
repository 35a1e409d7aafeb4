package dev.syncguard.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.ListenerRegistration;
import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.WakeUp;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Watches the document of one lock and wakes its waiters when it is gone.
 *
 * <p>The client opens a broken stream again by itself and then tells what changed meanwhile. It gives up only for reasons
 * that do not pass by themselves; this tries again all the same, slowly. No monitor is held around calls into the client:
 * one that blocks there would pin the carrier of a virtual thread.
 */
final class LockListener {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long RESTART_SECONDS = 5;

    private final DocumentReference lock;
    private final Set<WakeUp> waiters = ConcurrentHashMap.newKeySet();
    private final ReentrantLock turn = new ReentrantLock();
    private @Nullable ListenerRegistration registration;
    private boolean stopped;
    private volatile boolean active;

    LockListener(DocumentReference lock) {
        this.lock = lock;
    }

    boolean isActive() {
        return active;
    }

    void add(WakeUp waiter) {
        waiters.add(waiter);
    }

    /** Returns whether no waiter is left. */
    boolean remove(WakeUp waiter) {
        waiters.remove(waiter);
        return waiters.isEmpty();
    }

    void start() {
        turn.lock();
        try {
            if (registration == null && !stopped) {
                registration = InterruptShield.call(() -> lock.addSnapshotListener(Runnable::run, this::changed));
            }
        } catch (RuntimeException e) {
            LOGGER.log(Level.DEBUG, "no listener for a release; waiters poll");
        } finally {
            turn.unlock();
        }
    }

    void stop() {
        turn.lock();
        try {
            stopped = true;
            active = false;
            ListenerRegistration ending = registration;
            if (ending != null) {
                InterruptShield.call(() -> {
                    ending.remove();
                    return ending;
                });
            }
        } finally {
            turn.unlock();
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
            waiters.forEach(WakeUp::wake);
        }
    }

    private void restartLater() {
        turn.lock();
        try {
            active = false;
            registration = null;
        } finally {
            turn.unlock();
        }
        Later.run(TimeUnit.SECONDS.toNanos(RESTART_SECONDS), this::start);
    }
}
