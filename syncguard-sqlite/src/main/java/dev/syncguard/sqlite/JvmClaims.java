package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Marks, for the whole JVM, which copy of this module uses a lock file.
 *
 * <p>Two class loaders (two web applications in one container) load SQLite twice. POSIX file locks belong to the process: two
 * copies do not exclude each other, and the first that closes the file drops the locks of both. So the first copy that opens
 * a file writes its name into a system property, which every class loader sees, and other copies refuse the file until the
 * last session of that copy is closed.
 */
final class JvmClaims {

    private static final String PROPERTY = "dev.syncguard.sqlite.claim.";
    private static final String THIS_COPY = UUID.randomUUID().toString();
    private static final Map<String, Integer> SESSIONS = new HashMap<>();
    private static final ReentrantLock GUARD = new ReentrantLock();

    private JvmClaims() {}

    /** Claims the file for one more session of this copy. */
    static void claim(DatabaseFile.Identity file) {
        String property = property(file);
        GUARD.lock();
        try {
            Object owner = System.getProperties().putIfAbsent(property, THIS_COPY);
            if (owner != null && !owner.equals(THIS_COPY)) {
                throw new LockException(
                        Code.INVALID_ARGUMENT,
                        "the lock file " + file.path() + " is in use by another copy of syncguard-sqlite in this JVM,"
                                + " loaded by another class loader, and SQLite cannot tell the two apart; load"
                                + " syncguard-sqlite and sqlite-jdbc once in a class loader that both share, or give"
                                + " each a file of its own");
            }
            SESSIONS.merge(property, 1, Integer::sum);
        } finally {
            GUARD.unlock();
        }
    }

    static void release(DatabaseFile.Identity file) {
        String property = property(file);
        GUARD.lock();
        try {
            if (SESSIONS.computeIfPresent(property, (name, count) -> count > 1 ? count - 1 : null) == null) {
                System.getProperties().remove(property, THIS_COPY);
            }
        } finally {
            GUARD.unlock();
        }
    }

    /** By device and inode, so that all paths to a file lead to one mark; where there are none, by the real path. */
    private static String property(DatabaseFile.Identity file) {
        return PROPERTY + (file.key() == null ? file.path() : file.key());
    }
}
