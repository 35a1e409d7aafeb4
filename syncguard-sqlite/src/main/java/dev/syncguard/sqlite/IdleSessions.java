package dev.syncguard.sqlite;

import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The sessions of one backend that are not in use at the moment. */
final class IdleSessions {

    /** Those of all backends in this process that are not garbage. */
    private static final Set<IdleSessions> ALL =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private final Deque<Session> idle = new ConcurrentLinkedDeque<>();

    IdleSessions() {
        ALL.add(this);
    }

    void add(Session session) {
        idle.addFirst(session);
    }

    /** Returns a session whose files are still those that other processes use, if there is one. */
    @Nullable
    Session poll() {
        Session session = idle.pollFirst();
        while (session != null && !isCurrent(session)) {
            session.close();
            session = idle.pollFirst();
        }
        return session;
    }

    /** Whether the files of a session are still those that other processes use; if not, warns and closes all like it. */
    static boolean isCurrent(Session session) {
        OpenFiles.State state = session.state();
        if (state == OpenFiles.State.CURRENT) {
            return true;
        }
        System.getLogger("dev.syncguard").log(Level.WARNING, state.message);
        // Sessions of one process on a file share its memory: a new one is of use only after all old ones are closed.
        List.copyOf(ALL).forEach(sessions -> sessions.close(other -> other.state() != OpenFiles.State.CURRENT));
        return false;
    }

    void close() {
        close(session -> true);
    }

    private void close(Predicate<Session> which) {
        for (Session session : List.copyOf(idle)) {
            if (which.test(session) && idle.remove(session)) {
                session.close();
            }
        }
    }
}
