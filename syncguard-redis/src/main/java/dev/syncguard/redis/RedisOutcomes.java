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
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.StoredLock;
import dev.syncguard.spi.support.RedisNames;
import java.util.List;
import java.util.Optional;

/** What the replies of the scripts mean. The codes stand at their top. */
final class RedisOutcomes {

    private static final int FENCE_LENGTH = 15;

    private RedisOutcomes() {}

    static AcquireOutcome acquired(AcquireRequest request, List<Object> reply) {
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

    /** Reads lock id, fence, expiry and remaining time. */
    private static Granted granted(AcquireRequest request, String grant) {
        int fenceStart = RedisNames.LOCK_ID_LENGTH + 1;
        int expiryStart = fenceStart + FENCE_LENGTH + 1;
        int expiryEnd = grant.indexOf(' ', expiryStart);
        Fence fence = new Fence(RedisReply.digits(grant, fenceStart, expiryStart - 1));
        return new Granted(
                echoed(request.lockId(), grant),
                FenceLimits.warnIfHigh(request.key(), fence),
                RedisReply.digits(grant, expiryStart, expiryEnd),
                RedisReply.digits(grant, expiryEnd + 1, grant.length()));
    }

    /** The lock id that the server granted (A1); the guard takes back a grant of another one. */
    private static LockId echoed(LockId asked, String grant) {
        return grant.startsWith(asked.value()) ? asked : RedisReply.echo(grant.substring(0, RedisNames.LOCK_ID_LENGTH));
    }

    static ReleaseOutcome released(List<Object> reply) {
        int code = (int) RedisReply.number(reply, 0);
        return switch (code) {
            case 0, -1, -7 -> ReleaseOutcome.NOT_FOUND;
            case -2 -> ReleaseOutcome.EXPIRED;
            default -> {
                checkCode(code);
                yield ReleaseOutcome.RELEASED;
            }
        };
    }

    static ExtendOutcome extended(List<Object> reply) {
        int code = (int) RedisReply.number(reply, 0);
        return switch (code) {
            case 0, -1, -7 -> NotExtended.NOT_FOUND;
            case -2 -> NotExtended.EXPIRED;
            default -> {
                checkCode(code);
                yield new Extended(RedisReply.number(reply, 1), RedisReply.number(reply, 2));
            }
        };
    }

    static Optional<StoredLock> found(List<Object> reply) {
        if (!isFound(reply)) {
            return Optional.empty();
        }
        return Optional.of(new StoredLock(
                RedisReply.text(reply, 1),
                RedisReply.lockId(reply, 2),
                RedisReply.number(reply, 3),
                RedisReply.number(reply, 4),
                RedisReply.fence(reply, 5),
                reply.size() > 6 ? RedisReply.text(reply, 6) : null));
    }

    static boolean isFound(List<Object> reply) {
        int code = (int) RedisReply.number(reply, 0);
        if (code == 0 || code == -7) {
            return false;
        }
        checkCode(code);
        return true;
    }

    static void checkCode(int code) {
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
