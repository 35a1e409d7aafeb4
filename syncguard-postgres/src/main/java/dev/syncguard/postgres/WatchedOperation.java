package dev.syncguard.postgres;

import dev.syncguard.spi.support.StoreThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * One operation and what its watch may do to it: interrupt the wait for a connection at the deadline, cancel a statement
 * before that, and abort the connection if neither the server nor the socket has ended it.
 *
 * <p>Each of these is claimed by a change of the state, so that none of them can strike after the connection went back to
 * its pool: a cancel request that is still on its way then would hit the next statement of the application.
 */
final class WatchedOperation implements AutoCloseable {

    private enum State {
        CONNECTING,
        INTERRUPTING,
        INTERRUPTED,
        READY,
        RUNNING,
        CANCELLING,
        CANCELLED,
        ABORTED,
        DONE
    }

    /** The socket gives up at the deadline by itself, unless the server sends a byte now and then. */
    private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(100);

    private final OperationWatch watch;
    private final long deadline;
    private final Thread thread = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.CONNECTING);
    private boolean wasInterrupted;
    private volatile long cancelAt;
    private volatile @Nullable Connection connection;

    WatchedOperation(OperationWatch watch, long deadline) {
        this.watch = watch;
        this.deadline = deadline;
    }

    long leftNanos() {
        return deadline - System.nanoTime();
    }

    // ---- the caller

    /** The wait for a connection is over, well or not. Returns whether the watch ended it; that interrupt is cleared. */
    boolean connected(@Nullable Connection given) {
        connection = given;
        if (state.compareAndSet(State.CONNECTING, State.READY)) {
            return false;
        }
        while (state.get() == State.INTERRUPTING) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
        if (wasInterrupted) {
            thread.interrupt();
        }
        state.compareAndSet(State.INTERRUPTED, State.READY);
        return true;
    }

    /** The watch does not interrupt the wait for a connection: it has a limit of its own. */
    void connectsByItself() {
        state.set(State.READY);
    }

    void uses(Connection given) {
        connection = given;
    }

    /** A statement is sent now, and cancelled after a time. */
    void running(long cancelAfterNanos) {
        cancelAt = System.nanoTime() + cancelAfterNanos;
        state.compareAndSet(State.READY, State.RUNNING);
    }

    /** The statement has been answered. Waits for a cancel request that is on its way, but not beyond the deadline. */
    void answered() {
        boolean interrupted = false;
        while (state.get() == State.CANCELLING && leftNanos() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            thread.interrupt();
        }
        if (!state.compareAndSet(State.RUNNING, State.READY)) {
            state.compareAndSet(State.CANCELLED, State.READY);
        }
    }

    boolean isAborted() {
        return state.get() == State.ABORTED;
    }

    /** Ends the watch; returns whether the connection may be used by others, because nothing can strike it any more. */
    boolean release() {
        return state.compareAndSet(State.READY, State.DONE) || state.get() == State.DONE;
    }

    @Override
    public void close() {
        watch.end(this);
    }

    // ---- the watch

    void look(long now) {
        if (now - deadline >= 0 && state.compareAndSet(State.CONNECTING, State.INTERRUPTING)) {
            wasInterrupted = thread.isInterrupted();
            thread.interrupt();
            state.set(State.INTERRUPTED);
        }
        if (state.get() == State.RUNNING && now - cancelAt >= 0) {
            cancel();
        }
        if (now - deadline - GRACE >= 0) {
            abort();
        }
    }

    private void cancel() {
        Connection session = connection;
        if (session == null || !watch.cancels.tryAcquire()) {
            return;
        }
        if (state.compareAndSet(State.RUNNING, State.CANCELLING)) {
            StoreThreads.start("syncguard-postgres-cancel", () -> sendCancel(session));
        } else {
            watch.cancels.release();
        }
    }

    /** Not by the statement's own cancel(): the statement would not return before that has. */
    private void sendCancel(Connection session) {
        try {
            if (session.isWrapperFor(BaseConnection.class)) {
                session.unwrap(BaseConnection.class).cancelQuery();
            }
        } catch (SQLException | RuntimeException e) {
            // The socket gives up soon.
        } finally {
            state.compareAndSet(State.CANCELLING, State.CANCELLED);
            watch.cancels.release();
        }
    }

    private void abort() {
        Connection session = connection;
        State current = state.get();
        boolean busy = current == State.READY
                || current == State.RUNNING
                || current == State.CANCELLING
                || current == State.CANCELLED;
        if (session != null && busy && state.compareAndSet(current, State.ABORTED)) {
            StoreThreads.start("syncguard-postgres-abort", () -> abort(session));
        }
    }

    static void abort(Connection session) {
        try {
            session.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // Broken already.
        }
    }
}
