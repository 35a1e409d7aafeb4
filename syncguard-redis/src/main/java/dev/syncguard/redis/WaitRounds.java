package dev.syncguard.redis;

import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One WAIT at a time on a connection: it covers all that the connection wrote before, so those who ask meanwhile share the
 * next one. If each sent its own, they would stand behind each other at the server when a replica is silent, and with them
 * every later request of the connection, for much longer than a command timeout.
 */
final class WaitRounds {

    private final RedisExecutor executor;
    private final String replicas;
    private final String patienceMs;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Long> next;
    private boolean underWay;

    WaitRounds(RedisExecutor executor, int replicas, Duration patience) {
        this.executor = executor;
        this.replicas = Integer.toString(replicas);
        this.patienceMs = Long.toString(patience.toMillis());
    }

    /** Completes with how many replicas have what the connection wrote until now. */
    CompletionStage<Long> replicas() {
        CompletableFuture<Long> round;
        boolean first;
        lock.lock();
        try {
            round = next == null ? new CompletableFuture<>() : next;
            next = round;
            first = !underWay;
            underWay = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            send();
        }
        return round;
    }

    private void send() {
        CompletableFuture<Long> round = take();
        if (round == null) {
            return;
        }
        var unused = executor.submit(RedisCall.of(CommandType.WAIT, replicas, patienceMs))
                .thenApply(reply -> RedisReply.number(reply, 0))
                .whenComplete((found, failure) -> {
                    send();
                    if (failure == null) {
                        round.complete(found);
                    } else {
                        round.completeExceptionally(failure);
                    }
                });
    }

    private @Nullable CompletableFuture<Long> take() {
        lock.lock();
        try {
            CompletableFuture<Long> round = next;
            next = null;
            underWay = round != null;
            return round;
        } finally {
            lock.unlock();
        }
    }
}
