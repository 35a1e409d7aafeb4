package dev.syncguard.postgres;

import dev.syncguard.spi.support.StoreThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

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
    private final AtomicBoolean running = new AtomicBoolean();
    private final Starter starter;
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
        if (!running.get() && running.compareAndSet(false, true)) {
            try {
                starter.start("syncguard-postgres-watch", this);
            } catch (Throwable e) {
                // Out of threads: the next operation tries again, and this one must not run unwatched.
                running.set(false);
                operations.remove(operation);
                throw e;
            }
        }
        return operation;
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
            try {
                look();
            } finally {
                running.set(false);
            }
        } while (!operations.isEmpty() && running.compareAndSet(false, true));
    }

    private void look() {
        for (int idle = 0; idle < LOOKS_BEFORE_END && !(closed && operations.isEmpty()); idle++) {
            if (!operations.isEmpty()) {
                idle = 0;
                long now = System.nanoTime();
                operations.forEach(operation -> operation.look(now));
            }
            LockSupport.parkNanos(LOOK_EVERY);
        }
    }

    /** Lets the thread end as soon as no operation is under way. */
    @Override
    public void close() {
        closed = true;
    }
}
