package dev.syncguard.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the operations of a guard that are under way, and refuses new ones from the moment it closes.
 *
 * <p>Beginnings and ends are counted apart, and ends are read first: if both sums are equal, nothing was under way when the
 * second reading began, whatever happened during the readings.
 */
final class InFlight {

    private static final long LOOK_NANOS = 500_000;

    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
    private final Set<Runnable> undelivered = ConcurrentHashMap.newKeySet();
    private volatile boolean withdraws;
    private volatile boolean closing;
    private volatile boolean closed;

    /** Begins an acquire, which a closing guard does not take any more. */
    void beginAcquire() {
        begun.increment();
        if (closing) {
            ended.increment();
            throw closedException();
        }
    }

    /** Begins any other operation: a closing guard still takes them, because bodies may be running. */
    void begin() {
        begun.increment();
        if (closed) {
            ended.increment();
            throw closedException();
        }
    }

    void end() {
        ended.increment();
    }

    /**
     * A grant waits for an executor of the application, which may be late or never run it.
     *
     * @param takeBack takes it back if a closing guard cannot wait any longer; may run more than once
     */
    void offered(Runnable takeBack) {
        undelivered.add(takeBack);
        if (withdraws) {
            takeBack.run();
        }
    }

    /** The grant has an owner, or none will get it. */
    void delivered(Runnable takeBack) {
        undelivered.remove(takeBack);
    }

    /**
     * Code of the application begins to run on this thread, as part of an operation that may be counted.
     *
     * @return what {@link #leave} is given
     */
    boolean enter() {
        boolean outer = inside.get();
        inside.set(true);
        return outer;
    }

    void leave(boolean outer) {
        inside.set(outer);
    }

    /** Returns whether this thread runs such code: it must not wait until nothing is under way. */
    boolean isInside() {
        return inside.get();
    }

    boolean isClosing() {
        return closing;
    }

    void ensureOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** Takes back, from now on, what was granted and has no owner. */
    void withdraw() {
        withdraws = true;
        undelivered.forEach(Runnable::run);
    }

    /** Refuses new operations from now on. */
    void close() {
        closing = true;
    }

    /** Refuses everything from now on. */
    void closeForGood() {
        closing = true;
        closed = true;
    }

    /** Waits until nothing is under way; false if the limit passed. Goes on when interrupted, and keeps the flag. */
    boolean awaitIdle(long limitNanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (!isIdle()) {
            if (System.nanoTime() - start >= limitNanos) {
                break;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isIdle();
    }

    private boolean isIdle() {
        long done = ended.sum();
        return begun.sum() == done;
    }

    static ClosedException closedException() {
        return new ClosedException();
    }

    /** What callers of a closed guard get. */
    static final class ClosedException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        ClosedException() {
            super("this SyncGuard is closed");
        }
    }
}
