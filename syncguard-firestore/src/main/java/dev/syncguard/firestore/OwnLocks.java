package dev.syncguard.firestore;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.Liveness;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/**
 * The locks that a query by lock id found. One at most can be live, or the store is inconsistent.
 *
 * @param all those that really carry the lock id
 * @param live the one that is live, tolerance included
 */
record OwnLocks(List<LockDocument> all, Optional<LockDocument> live) {

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");

    /**
     * Verifies the lock ids and looks for duplicates.
     *
     * @throws LockException if two are live: it cannot be known which one is meant, so nothing is changed
     */
    static OwnLocks of(Reading reading, LockId lockId, long nowMs) {
        List<LockDocument> all = reading.found().stream()
                .flatMap(found -> LockDocument.of(found).stream())
                .filter(document -> document.lock().lockId().equals(lockId))
                .toList();
        List<LockDocument> live = all.stream()
                .filter(document -> Liveness.isLive(document.lock().expiresAtMs(), nowMs))
                .toList();
        if (all.size() > 1) {
            LOGGER.log(
                    Level.WARNING,
                    "{0} locks in Firestore have the same lock id, {1} of them live",
                    all.size(),
                    live.size());
        }
        if (live.size() > 1) {
            throw new LockException(Code.INTERNAL, "two live locks have this lock id; nothing was changed");
        }
        return new OwnLocks(all, live.stream().findFirst());
    }
}
