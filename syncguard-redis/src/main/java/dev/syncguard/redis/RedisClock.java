package dev.syncguard.redis;

import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** Compares how the server's clock moves with how time passes here, since the backend started (T5). */
final class RedisClock {

    private final RedisExecutor executor;
    private final long startMs;
    private final long startNanos;

    RedisClock(RedisExecutor executor) {
        this.executor = executor;
        long before = System.nanoTime();
        this.startMs = serverMs();
        this.startNanos = middle(before);
    }

    /** How far the server's clock went ahead (positive) or fell behind, apart from half a round trip. */
    long driftMs() {
        long before = System.nanoTime();
        long serverMs = serverMs();
        return serverMs - startMs - (middle(before) - startNanos) / 1_000_000;
    }

    private static long middle(long before) {
        return before + (System.nanoTime() - before) / 2;
    }

    private long serverMs() {
        List<Object> time = executor.await(RedisCall.of(CommandType.TIME));
        return Long.parseLong(RedisReply.text(time, 0)) * 1000 + Long.parseLong(RedisReply.text(time, 1)) / 1000;
    }
}
