package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.sqlite.Session.Work;
import dev.syncguard.sqlite.SqliteErrors.Phase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a few sessions and bounds how long that takes.
 *
 * <p>Writers queue before they take a session, and only the first of a process has one. The other sessions are for readers,
 * who never wait for a writer.
 */
final class Sessions implements AutoCloseable {

    private static final int MOST = 4;

    private final DatabaseFile file;
    private final Duration commandTimeout;
    private final Semaphore places = new Semaphore(MOST, true);
    private final IdleSessions idle = new IdleSessions();
    private final ReentrantLock joining = new ReentrantLock();
    private @Nullable TurnQueue queue;
    private volatile boolean closed;

    Sessions(DatabaseFile file, Duration commandTimeout) {
        this.file = file;
        this.commandTimeout = commandTimeout;
    }

    Duration commandTimeout() {
        return commandTimeout;
    }

    /** Begins an operation that needs several steps within its time. */
    TimeLimit begin(AbortSignal signal) {
        signal.throwIfAborted();
        SqliteDriver.load();
        return new TimeLimit(commandTimeout);
    }

    <T> T read(AbortSignal signal, Work<T> work) {
        try (TimeLimit limit = begin(signal)) {
            return read(limit, work);
        }
    }

    <T> T write(AbortSignal signal, Work<T> work) {
        try (TimeLimit limit = begin(signal)) {
            return write(limit, work);
        }
    }

    /** Runs a transaction when its turn has come; once more if the disk was full, because the log begins anew after that. */
    <T> T write(TimeLimit limit, Work<T> work) {
        try {
            return inTurn(limit, work);
        } catch (InternalError e) {
            // The JVM tells only after a while, at any call, that the queue's file was cut off under its mapping.
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE, "the -queue file beside the lock file was cut off while in use", e, true);
        }
    }

    private <T> T inTurn(TimeLimit limit, Work<T> work) {
        TurnQueue turns = queue();
        turns.enter(limit);
        try {
            return commit(limit, work);
        } catch (LockException e) {
            if (SqliteErrors.isFull(e.getCause())) {
                return commit(limit, work);
            }
            throw e;
        } finally {
            turns.leave();
        }
    }

    private <T> T commit(TimeLimit limit, Work<T> work) {
        return read(limit, session -> session.transaction(work));
    }

    /** Runs queries. */
    <T> T read(TimeLimit limit, Work<T> work) {
        limit.await(nanos -> places.tryAcquire(nanos, TimeUnit.NANOSECONDS));
        try {
            return use(session(limit), limit, work);
        } finally {
            places.release();
        }
    }

    private <T> T use(Session session, TimeLimit limit, Work<T> work) {
        boolean sound = false;
        try {
            session.waitAtMost(limit.leftMillis());
            T result = work.in(session);
            sound = true;
            return result;
        } catch (SQLException e) {
            LockException failure = SqliteErrors.translate(e, session.phase());
            if (SqliteErrors.isFull(e) && session.state() == OpenFiles.State.CURRENT) {
                session.saveLog(); // SQLite itself waits for a thousand pages, and there is no room for them
            }
            throw failure;
        } catch (LockException e) {
            sound = IdleSessions.isCurrent(session);
            throw e;
        } finally {
            // Whatever else happened: an open transaction must not outlive this, and closing ends it.
            if (sound) {
                idle.add(session);
            } else {
                session.close();
            }
            if (closed) {
                idle.close();
            }
        }
    }

    private Session session(TimeLimit limit) {
        Session session = idle.poll();
        return session == null ? open(limit) : session;
    }

    /** Opens a session, which its caller closes. */
    Session open(TimeLimit limit) {
        ensureOpen();
        DatabaseFile.Identity identity = file.prepare();
        try {
            return Opening.open(identity, limit);
        } catch (SQLException e) {
            throw SqliteErrors.translate(e, Phase.WORKING);
        }
    }

    private TurnQueue queue() {
        joining.lock();
        try {
            ensureOpen();
            if (queue == null) {
                queue = TurnQueue.join(file.prepare().path());
            }
            return queue;
        } finally {
            joining.unlock();
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new LockException(Code.SERVICE_UNAVAILABLE, "this backend is closed");
        }
    }

    @Override
    public void close() {
        joining.lock();
        try {
            if (queue != null && !closed) {
                queue.part();
            }
            closed = true;
        } finally {
            joining.unlock();
        }
        idle.close();
    }
}
