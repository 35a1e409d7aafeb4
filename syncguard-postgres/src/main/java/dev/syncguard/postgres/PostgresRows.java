package dev.syncguard.postgres;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.FenceLimits;
import dev.syncguard.spi.Liveness;
import dev.syncguard.spi.LockListing.Page;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what the statements answer. */
final class PostgresRows {

    /** Not granted, and not for a lock that lasts: the lock ended this moment, or the counter is at fault. */
    static final Refused NOTHING_IN_THE_WAY = new Refused(0);

    private PostgresRows() {}

    /** Reads the answer of an acquire; null if it lost a race. */
    static @Nullable AcquireOutcome acquired(ResultSet rows, AcquireRequest request) throws SQLException {
        if (!rows.next()) {
            return NOTHING_IN_THE_WAY;
        }
        String state = rows.getString("state");
        if (state.equals("raced")) {
            return null;
        }
        long expiresAtMs = rows.getLong("expires_at_ms");
        if (rows.wasNull()) {
            return null;
        }
        long nowMs = rows.getLong("now_ms");
        boolean own =
                Liveness.isStrictlyLive(expiresAtMs, nowMs) && lockId(rows).equals(request.lockId());
        return state.equals("granted") || own
                ? granted(rows, request, expiresAtMs - nowMs)
                : new Refused(Liveness.grantableInMs(expiresAtMs, nowMs));
    }

    /** Fails if a counter is not one from which a grant can be counted. */
    static boolean isUsable(ResultSet rows) throws SQLException {
        if (rows.next()) {
            long counter = rows.getLong("fence");
            if (counter == Fence.MAX.value()) {
                throw FenceLimits.exhausted();
            }
            checked(counter);
        }
        return true;
    }

    private static Granted granted(ResultSet rows, AcquireRequest request, long remainingMs) throws SQLException {
        Fence fence = FenceLimits.warnIfHigh(request.key(), fence(rows));
        return new Granted(lockId(rows), fence, rows.getLong("expires_at_ms"), remainingMs);
    }

    static ReleaseOutcome released(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return ReleaseOutcome.NOT_FOUND;
        }
        return rows.getBoolean("live") ? ReleaseOutcome.RELEASED : ReleaseOutcome.EXPIRED;
    }

    static ExtendOutcome extended(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return NotExtended.NOT_FOUND;
        }
        long expiresAtMs = rows.getLong("expires_at_ms");
        return rows.wasNull() ? NotExtended.EXPIRED : new Extended(expiresAtMs, expiresAtMs - rows.getLong("now_ms"));
    }

    static Optional<StoredLock> found(ResultSet rows) throws SQLException {
        return rows.next() ? Optional.of(stored(rows)) : Optional.empty();
    }

    static Page page(ResultSet rows, int limit) throws SQLException {
        List<StoredLock> locks = new ArrayList<>();
        String last = "";
        while (rows.next()) {
            locks.add(stored(rows));
            last = rows.getString("key");
        }
        return new Page(List.copyOf(locks), locks.size() < limit ? Optional.empty() : Optional.of(last));
    }

    static Fence counter(ResultSet rows) throws SQLException {
        rows.next();
        return checked(rows.getLong("fence"));
    }

    private static Fence checked(long counter) {
        if (counter < 0 || counter > Fence.MAX.value()) {
            throw damaged("fence counter");
        }
        return new Fence(counter);
    }

    private static StoredLock stored(ResultSet rows) throws SQLException {
        return new StoredLock(
                rows.getString("user_key"),
                lockId(rows),
                rows.getLong("acquired_at_ms"),
                rows.getLong("expires_at_ms"),
                fence(rows),
                rows.getString("label"));
    }

    private static LockId lockId(ResultSet rows) throws SQLException {
        try {
            return LockId.parse(rows.getString("lock_id"));
        } catch (LockException e) {
            throw damaged("lock id");
        }
    }

    private static Fence fence(ResultSet rows) throws SQLException {
        try {
            return Fence.parse(rows.getString("fence"));
        } catch (LockException e) {
            throw damaged("fence of this lock");
        }
    }

    private static LockException damaged(String what) {
        return new LockException(
                Code.INTERNAL, "the " + what + " in the database is damaged; repair a counter with 'fence raise'");
    }
}
