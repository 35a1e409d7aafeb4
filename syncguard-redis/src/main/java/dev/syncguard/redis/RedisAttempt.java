package dev.syncguard.redis;

import dev.syncguard.LockException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the calls that an operation takes. Mostly there is one. A further one follows only if the server did nothing: it
 * does not know the script, or is moving the slot of the keys (E10). The operation keeps to its command timeout; calls are
 * sent in the first three quarters of it, so that the last one has time to be answered.
 */
final class RedisAttempt<T> {

    private static final long FIRST_PAUSE_NANOS = 2_000_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private final RedisRequest<T> request;
    private final RedisCall call;
    private final boolean routed;
    private final boolean byText;
    private final long startNanos;
    private final long timeoutNanos;
    private final long pauseNanos;

    private RedisAttempt(RedisRequest<T> request, boolean routed, Duration timeout) {
        this.request = request;
        this.routed = routed;
        this.byText = false;
        this.call = RedisCall.bySha(request, routed);
        this.startNanos = call.createdNanos();
        this.timeoutNanos = timeout.toNanos();
        this.pauseNanos = 0;
    }

    private RedisAttempt(RedisAttempt<T> last, RedisRequest<T> request, boolean byText, long pauseNanos) {
        this.request = request;
        this.routed = last.routed;
        this.byText = byText;
        this.call = byText ? RedisCall.byText(request, routed) : RedisCall.bySha(request, routed);
        this.startNanos = last.startNanos;
        this.timeoutNanos = last.timeoutNanos;
        this.pauseNanos = pauseNanos;
    }

    static <T> RedisAttempt<T> first(RedisRequest<T> request, boolean routed, Duration timeout) {
        return new RedisAttempt<>(request, routed, timeout);
    }

    RedisRequest<T> request() {
        return request;
    }

    RedisCall call() {
        return call;
    }

    /** How long to wait before this call is sent. */
    long pauseNanos() {
        return pauseNanos;
    }

    /** What is left of the operation's time. */
    long remainingNanos() {
        return startNanos + timeoutNanos - System.nanoTime();
    }

    /** The next call after a reply; null if the reply is the answer. */
    @Nullable
    RedisAttempt<T> after(List<Object> reply) {
        RedisRequest<T> next = request.next(reply);
        return next == null ? null : new RedisAttempt<>(this, next, false, 0);
    }

    /** The next call after a failure; null if the operation has failed. */
    @Nullable
    RedisAttempt<T> after(Throwable failure) {
        if (isHalfway(failure)) {
            return null;
        }
        if (!byText && RedisErrors.isUnknownScript(failure)) {
            return new RedisAttempt<>(this, request, true, 0);
        }
        if (!routed || !RedisErrors.isMovingSlot(failure)) {
            return null;
        }
        long pause = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
        return remainingNanos() - pause < timeoutNanos / 4 ? null : new RedisAttempt<>(this, request, byText, pause);
    }

    private boolean isHalfway(Throwable failure) {
        return request.script().mayFailHalfway() && RedisErrors.isHalfway(failure);
    }

    /** What the operation throws. */
    LockException failed(Throwable failure) {
        return isHalfway(failure) ? RedisErrors.halfway(failure) : RedisErrors.translate(failure, call.wasSent());
    }
}
