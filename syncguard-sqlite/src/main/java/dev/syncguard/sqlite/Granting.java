package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.FenceMode;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.StoredLock;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Gives locks.
 *
 * <p>First a look without the write lock: a live lock decides at once, and a refusal then costs a read and disturbs no
 * other client. It is as true as it was at the moment of the look, which is all that a single attempt can say. Only a key
 * that looked free is judged again, now under the write lock and by the clock of that moment, and granted in the same
 * transaction.
 */
final class Granting {

    private final Sessions sessions;
    private final StorageKeys keys;
    private final FenceMode fenceMode;

    Granting(Sessions sessions, StorageKeys keys, FenceMode fenceMode) {
        this.sessions = sessions;
        this.keys = keys;
        this.fenceMode = fenceMode;
    }

    AcquireOutcome acquire(AcquireRequest request, AbortSignal signal) {
        String key = keys.lock(request.key());
        try (TimeLimit limit = sessions.begin(signal)) {
            Optional<AcquireOutcome> decided = sessions.read(limit, session -> judge(session, key, request));
            return decided.isPresent() ? decided.get() : sessions.write(limit, session -> grant(session, key, request));
        }
    }

    /** The answer if the key is locked. */
    private static Optional<AcquireOutcome> judge(Session session, String key, AcquireRequest request)
            throws SQLException {
        Optional<StoredLock> held = LockTables.byKey(session, key);
        long now = System.currentTimeMillis();
        return held.filter(lock -> Liveness.isLive(lock.expiresAtMs(), now)).map(lock -> answer(lock, request, now));
    }

    private static AcquireOutcome answer(StoredLock held, AcquireRequest request, long now) {
        return held.lockId().equals(request.lockId()) && Liveness.isStrictlyLive(held.expiresAtMs(), now)
                ? Granted.of(held, now)
                : new Refused(Liveness.grantableInMs(held.expiresAtMs(), now));
    }

    private AcquireOutcome grant(Session session, String key, AcquireRequest request) throws SQLException {
        Optional<AcquireOutcome> decided = judge(session, key, request);
        if (decided.isPresent()) {
            return decided.get();
        }
        if (LockTables.holdsOther(session, request.lockId(), key)) {
            throw new LockException(Code.INTERNAL, "this lock id holds another key");
        }
        String fenceKey = keys.fence(request.key());
        long now = System.currentTimeMillis();
        Fence fence = FenceLimits.next(fenceMode, LockTables.counter(session, fenceKey), now);
        StoredLock lock = new StoredLock(
                request.key().value(),
                request.lockId(),
                now,
                now + request.ttl().millis(),
                fence,
                request.label());
        LockTables.count(session, fenceKey, fence);
        LockTables.store(session, key, lock);
        FenceLimits.warnIfHigh(request.key(), fence);
        return Granted.of(lock, now);
    }
}
