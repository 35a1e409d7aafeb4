package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sessions that must not be closed while this process lives: closing them would write an old log into a lock file that
 * another program uses by now ({@link OpenFiles.State#OVERTAKEN}). And because SQLite has one shared memory for all sessions
 * of a process on a file, no other session can be opened beside them.
 */
final class AbandonedSessions {

    private static final Map<DatabaseFile.Identity, Queue<Session>> KEPT = new ConcurrentHashMap<>();

    private AbandonedSessions() {}

    static void keep(Session session) {
        KEPT.computeIfAbsent(session.file(), file -> new ConcurrentLinkedQueue<>())
                .add(session);
    }

    static void refuse(DatabaseFile.Identity file) {
        if (KEPT.containsKey(file)) {
            throw new LockException(Code.SERVICE_UNAVAILABLE, OpenFiles.State.OVERTAKEN.message);
        }
    }
}
