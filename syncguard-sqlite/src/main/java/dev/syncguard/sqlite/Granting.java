package dev.syncguard.sqlite;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.StoredLock;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Gives locks.
 *
 * <p>First a look without the write lock: a live lock decides at once, and a refusal then costs a read and disturbs nobody.
 * It is as true as it was at the moment of the look, which is all that a single attempt can say. Only a key that looked free
 * is judged again, now under the write lock and by the clock of that moment, and granted in the same transaction.
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
            AcquireOutcome decided = sessions.read(limit, session -> judge(LockTables.byKey(session, key), request));
            return decided != null ? decided : sessions.write(limit, session -> grant(session, key, request));
        }
    }

    /** The answer if the key is locked, else null. */
    private static @Nullable AcquireOutcome judge(@Nullable StoredLock held, AcquireRequest request) {
        long now = System.currentTimeMillis();
        if (held == null || !Liveness.isLive(held.expiresAtMs(), now)) {
            return null;
        }
        return held.lockId().equals(request.lockId()) && Liveness.isStrictlyLive(held.expiresAtMs(), now)
                ? granted(held, now)
                : new Refused(Liveness.grantableInMs(held.expiresAtMs(), now));
    }

    private AcquireOutcome grant(Session session, String key, AcquireRequest request) throws SQLException {
        long now = System.currentTimeMillis();
        AcquireOutcome decided = judge(LockTables.byKey(session, key), request);
        if (decided != null) {
            return decided;
        }
        StoredLock other = LockTables.byId(session, request.lockId());
        if (other != null && !other.key().equals(request.key().value())) {
            throw new LockException(Code.INTERNAL, "this lock id holds another key");
        }
        String fenceKey = keys.fence(request.key());
        Fence fence = next(LockTables.counter(session, fenceKey), now);
        StoredLock lock = new StoredLock(
                request.key().value(),
                request.lockId(),
                now,
                now + request.ttl().millis(),
                fence);
        LockTables.count(session, fenceKey, fence);
        LockTables.store(session, key, lock);
        FenceLimits.warnIfHigh(request.key(), fence);
        return granted(lock, now);
    }

    private Fence next(long counter, long nowMs) {
        Fence next = FenceLimits.next(counter);
        boolean floored = fenceMode == FenceMode.TIME_FLOORED && nowMs > next.value() && nowMs <= Fence.WARN.value();
        return floored ? new Fence(nowMs) : next;
    }

    private static Granted granted(StoredLock lock, long nowMs) {
        return new Granted(lock.lockId(), lock.fence(), lock.expiresAtMs(), lock.expiresAtMs() - nowMs);
    }
}
