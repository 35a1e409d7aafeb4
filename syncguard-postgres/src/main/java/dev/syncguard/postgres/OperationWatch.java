package dev.syncguard.postgres;

import dev.syncguard.spi.support.StoreThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the operations of one backend to their time. One thread looks at them fifty times a second and never waits for
 * anything itself, so that a server that does not answer delays no other operation. It ends when there has been nothing to
 * watch for a while, and with the backend.
 *
 * <p>The driver's own time limit of a statement would wake a thread for every statement, and makes the caller wait until
 * its cancel request is through, which can take ten seconds.
 */
final class OperationWatch implements Runnable, AutoCloseable {

    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LOOKS_BEFORE_END = 250;

    /** A cancel request to a silent server takes ten seconds; beyond this many at once, the sockets give up instead. */
    final Semaphore cancels = new Semaphore(16);

    private final Set<WatchedOperation> operations = ConcurrentHashMap.newKeySet();
    private final ReentrantLock change = new ReentrantLock();
    private final Starter starter;
    /** Changed with the lock held. */
    private volatile boolean running;

    private volatile boolean closed;

    /** Starts a thread, or throws if the system has none left. */
    @FunctionalInterface
    interface Starter {
        void start(String name, Runnable task);
    }

    OperationWatch() {
        this(StoreThreads::start);
    }

    OperationWatch(Starter starter) {
        this.starter = starter;
    }

    /** Begins to watch an operation that has to end by a time of {@link System#nanoTime()}. */
    WatchedOperation begin(long deadline) {
        WatchedOperation operation = new WatchedOperation(this, deadline);
        operations.add(operation);
        // Either the thread sees the new entry before it ends, or we see that it has ended.
        if (!running) {
            try {
                start();
            } catch (Throwable e) {
                // Out of threads: the next operation tries again, and this one must not run unwatched.
                operations.remove(operation);
                throw e;
            }
        }
        return operation;
    }

    private void start() {
        change.lock();
        try {
            if (!running) {
                starter.start("syncguard-postgres-watch", this);
                // Not before: nobody may rely on a thread that cannot be started.
                running = true;
            }
        } finally {
            change.unlock();
        }
    }

    /** Returns whether a thread was started. Whoever asks again later may have more luck. */
    boolean start(String name, Runnable task) {
        try {
            starter.start(name, task);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    void end(WatchedOperation operation) {
        operations.remove(operation);
    }

    @Override
    public void run() {
        do {
            look();
        } while (!ends());
    }

    private boolean ends() {
        change.lock();
        try {
            // In this order: an operation that was entered before is seen here, a later one finds that nothing runs.
            running = false;
            running = !operations.isEmpty();
            return !running;
        } finally {
            change.unlock();
        }
    }

    private void look() {
        for (int idle = 0; idle < LOOKS_BEFORE_END && !(closed && operations.isEmpty()); idle++) {
            if (!operations.isEmpty()) {
                idle = 0;
                lookAtAll(System.nanoTime());
            }
            LockSupport.parkNanos(LOOK_EVERY);
        }
    }

    private void lookAtAll(long now) {
        try {
            operations.forEach(operation -> operation.look(now));
        } catch (Throwable e) {
            // A connection that cannot be aborted, or no memory: the next look goes on with the others.
        }
    }

    /** Lets the thread end as soon as no operation is under way. */
    @Override
    public void close() {
        closed = true;
    }
}
