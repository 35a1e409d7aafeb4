package dev.syncguard.redis;

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
import dev.syncguard.spi.FenceMode;
import dev.syncguard.spi.LockKey;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.Ttl;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What each operation sends, and what its replies mean. The codes stand at the top of the scripts. */
final class RedisRequests {

    /** How long an ended lock must have ended before isLocked removes it: no extension can be under way then. */
    private static final String CLEANUP_GUARD_MS = "2000";

    private static final int FENCE_END = 15;

    private final RedisKeys keys;
    private final String fenceMode;
    private final String publish;
    private final boolean cleanup;
    private final @Nullable RedisReleaseSignals waiters;

    RedisRequests(
            RedisKeys keys,
            FenceMode fenceMode,
            String publish,
            boolean cleanup,
            @Nullable RedisReleaseSignals waiters) {
        this.keys = keys;
        this.fenceMode = fenceMode == FenceMode.TIME_FLOORED ? "t" : "c";
        this.publish = publish;
        this.cleanup = cleanup;
        this.waiters = waiters;
    }

    RedisRequest<AcquireOutcome> acquire(AcquireRequest request) {
        RedisNamespace names = keys.of(request.key());
        LockId lockId = request.lockId();
        if (keys.of(lockId) != names) {
            throw internal("this lock id was drawn for another key; see LockBackend.newLockId");
        }
        String lock = names.lock(request.key());
        RedisReleaseSignals others = request.willWait() ? waiters : null;
        return new RedisRequest<>(
                RedisScript.ACQUIRE,
                Arrays.asList(
                        "3",
                        lock,
                        names.index(lockId),
                        names.counter(request.key()),
                        lockId.value(),
                        Long.toString(request.ttl().millis()),
                        request.key().value(),
                        fenceMode,
                        others == null ? "" : others.token(),
                        others == null ? "" : others.takeOthers(lock)),
                reply -> acquired(request, reply));
    }

    private static AcquireOutcome acquired(AcquireRequest request, List<Object> reply) {
        if (!reply.isEmpty() && reply.get(0) instanceof String grant) {
            return granted(request, grant);
        }
        int code = (int) RedisReply.number(reply, 0);
        if (code == 0) {
            return new Refused(RedisReply.number(reply, 1));
        }
        checkCode(code);
        throw RedisReply.unexpected();
    }

    /** Reads fence, end and remaining time. */
    private static Granted granted(AcquireRequest request, String grant) {
        int end = grant.indexOf(' ', FENCE_END + 1);
        Fence fence = new Fence(RedisReply.digits(grant, 0, FENCE_END));
        return new Granted(
                request.lockId(),
                FenceLimits.warnIfHigh(request.key(), fence),
                RedisReply.digits(grant, FENCE_END + 1, end),
                RedisReply.digits(grant, end + 1, grant.length()));
    }

    RedisRequest<ReleaseOutcome> release(LockId lockId) {
        RedisNamespace names = keys.of(lockId);
        return new RedisRequest<>(
                RedisScript.RELEASE,
                List.of("1", names.index(lockId), lockId.value(), names.start(), publish),
                RedisRequests::released);
    }

    private static ReleaseOutcome released(List<Object> reply) {
        int code = (int) RedisReply.number(reply, 0);
        return switch (code) {
            case 0, -1 -> ReleaseOutcome.NOT_FOUND;
            case -2 -> ReleaseOutcome.EXPIRED;
            default -> {
                checkCode(code);
                yield ReleaseOutcome.RELEASED;
            }
        };
    }

    RedisRequest<ExtendOutcome> extend(LockId lockId, Ttl ttl) {
        RedisNamespace names = keys.of(lockId);
        return new RedisRequest<>(
                RedisScript.EXTEND,
                List.of("1", names.index(lockId), lockId.value(), Long.toString(ttl.millis()), names.start()),
                RedisRequests::extended);
    }

    private static ExtendOutcome extended(List<Object> reply) {
        int code = (int) RedisReply.number(reply, 0);
        return switch (code) {
            case 0, -1 -> NotExtended.NOT_FOUND;
            case -2 -> NotExtended.EXPIRED;
            default -> {
                checkCode(code);
                yield new Extended(RedisReply.number(reply, 1), RedisReply.number(reply, 2));
            }
        };
    }

    RedisRequest<Boolean> isLocked(LockKey key) {
        RedisNamespace names = keys.of(key);
        return new RedisRequest<>(
                RedisScript.IS_LOCKED,
                List.of("1", names.lock(key), cleanup ? names.indexStart() : "", CLEANUP_GUARD_MS),
                reply -> isFound(reply));
    }

    RedisRequest<Optional<StoredLock>> findByKey(LockKey key) {
        return findAt(keys.of(key).lock(key));
    }

    RedisRequest<Optional<StoredLock>> findAt(String storageKey) {
        return new RedisRequest<>(RedisScript.FIND_BY_KEY, List.of("1", storageKey), RedisRequests::found);
    }

    RedisRequest<Optional<StoredLock>> findById(LockId lockId) {
        RedisNamespace names = keys.of(lockId);
        return new RedisRequest<>(
                RedisScript.FIND_BY_ID,
                List.of("1", names.index(lockId), lockId.value(), names.start()),
                RedisRequests::found);
    }

    private static Optional<StoredLock> found(List<Object> reply) {
        if (!isFound(reply)) {
            return Optional.empty();
        }
        return Optional.of(new StoredLock(
                RedisReply.text(reply, 1),
                RedisReply.lockId(reply, 2),
                RedisReply.number(reply, 3),
                RedisReply.number(reply, 4),
                RedisReply.fence(reply, 5)));
    }

    private static boolean isFound(List<Object> reply) {
        int code = (int) RedisReply.number(reply, 0);
        if (code == 0) {
            return false;
        }
        checkCode(code);
        return true;
    }

    RedisRequest<Fence> raiseFence(LockKey key, Fence atLeast) {
        FenceLimits.raisable(atLeast);
        RedisNamespace names = keys.of(key);
        return new RedisRequest<>(
                RedisScript.RAISE_FENCE, List.of("1", names.counter(key), Long.toString(atLeast.value())), reply -> {
                    checkCode((int) RedisReply.number(reply, 0));
                    return RedisReply.fence(reply, 1);
                });
    }

    private static void checkCode(int code) {
        switch (code) {
            case 1 -> {}
            case -3 -> throw RedisReply.foreign();
            case -4 -> throw internal("this lock id holds another key");
            case -5 -> throw internal("the fence counter in the store is damaged; repair it with 'fence raise'");
            case -6 -> throw FenceLimits.exhausted();
            default -> throw RedisReply.unexpected();
        }
    }

    private static LockException internal(String message) {
        return new LockException(Code.INTERNAL, message);
    }
}
