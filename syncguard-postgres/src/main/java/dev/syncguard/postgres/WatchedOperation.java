package dev.syncguard.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * One operation and what its watch may do to it: cancel a statement before the deadline, and abort the connection if
 * neither the server nor the socket has ended it.
 *
 * <p>Each of these is claimed by a change of the state, so that none of them can strike after the connection went back to
 * its pool: a cancel request that is still on its way then would hit the next statement of the application.
 */
final class WatchedOperation implements AutoCloseable {

    private enum State {
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
    private final AtomicReference<State> state = new AtomicReference<>(State.READY);
    private volatile long cancelAt;
    private volatile boolean shortened;
    private volatile @Nullable Connection connection;

    WatchedOperation(OperationWatch watch, long deadline) {
        this.watch = watch;
        this.deadline = deadline;
    }

    long leftNanos() {
        return deadline - System.nanoTime();
    }

    // ---- the caller

    void uses(Connection given) {
        connection = given;
    }

    /** A statement is sent now, and cancelled after a time. */
    void running(long cancelAfterNanos) {
        cancelAt = System.nanoTime() + cancelAfterNanos;
        shortened = false;
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
            Thread.currentThread().interrupt();
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
        if (state.get() == State.RUNNING && now - cancelAt >= 0) {
            cancel();
        }
        if (now - deadline - GRACE >= 0) {
            abort();
        }
    }

    private void cancel() {
        Connection session = connection;
        if (session == null || !state.compareAndSet(State.RUNNING, State.CANCELLING)) {
            return;
        }
        shorten(session);
        if (watch.cancels.tryAcquire()) {
            if (watch.start("syncguard-postgres-cancel", () -> sendCancel(session))) {
                return;
            }
            watch.cancels.release();
        }
        state.set(State.RUNNING);
    }

    /**
     * The read that is under way keeps its limit. But if it is reached, the driver closes the socket, and closing one with
     * TLS reads once more: with the same limit the operation would take twice its time.
     */
    private void shorten(Connection session) {
        if (shortened) {
            return;
        }
        shortened = true;
        try {
            session.setNetworkTimeout(Runnable::run, (int) TimeUnit.NANOSECONDS.toMillis(GRACE));
        } catch (SQLException | RuntimeException e) {
            // It is broken; the driver closes it.
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
            if (!watch.start("syncguard-postgres-abort", () -> abort(session))) {
                abort(session);
            }
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
