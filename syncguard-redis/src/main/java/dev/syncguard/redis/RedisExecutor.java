package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.spi.support.InterruptShield;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Sends requests over one connection: one EVALSHA each, and what {@link RedisAttempt} says if that changed nothing. */
final class RedisExecutor {

    private final StatefulConnection<String, String> connection;
    private final RedisTimeouts timeouts;
    private final Duration timeout;
    private final boolean routed;
    private final @Nullable ReplicaExit exit;

    /** Over a connection that is not ours to close. */
    RedisExecutor(StatefulConnection<String, String> connection, RedisTimeouts timeouts, Duration timeout) {
        this(connection, timeouts, timeout, null);
    }

    RedisExecutor(
            StatefulConnection<String, String> connection,
            RedisTimeouts timeouts,
            Duration timeout,
            @Nullable ReplicaExit exit) {
        this.connection = connection;
        this.timeouts = timeouts;
        this.timeout = timeout;
        this.exit = exit;
        this.routed = connection instanceof StatefulRedisClusterConnection;
    }

    /** On the caller's thread, which parks until the driver's thread has the reply. */
    <T> T await(RedisRequest<T> request) {
        RedisAttempt<T> attempt = RedisAttempt.first(request, routed, timeout);
        while (true) {
            RedisAttempt<T> next;
            try {
                List<Object> reply = reply(attempt.call(), attempt.remainingNanos());
                next = attempt.after(reply);
                if (next == null) {
                    return attempt.request().decoder().apply(reply);
                }
            } catch (ExecutionException e) {
                next = attempt.after(e);
                if (next == null) {
                    throw failed(attempt, e);
                }
            }
            pause(next.pauseNanos());
            attempt = next;
        }
    }

    /** Any command, on the caller's thread. */
    List<Object> await(RedisCall call) {
        try {
            return reply(call, timeout.toNanos());
        } catch (ExecutionException e) {
            throw RedisErrors.translate(e, call.wasSent());
        }
    }

    private List<Object> reply(RedisCall call, long nanos) throws ExecutionException {
        dispatch(call);
        try {
            return InterruptShield.get(call, nanos);
        } catch (TimeoutException e) {
            // Keeps a call that the driver has not sent yet from being sent later.
            call.completeExceptionally(e);
            throw new ExecutionException(e);
        }
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        try (InterruptShield shield = new InterruptShield()) {
            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
                shield.interrupted();
            }
        }
    }

    /** The end of several commands that were sent without a thread; each has its own timeout. */
    <T> T await(CompletionStage<T> stage) {
        try {
            return InterruptShield.get(stage.toCompletableFuture(), 4 * timeout.toNanos());
        } catch (ExecutionException | TimeoutException e) {
            throw RedisErrors.translate(e, true);
        }
    }

    /** Without a thread. */
    <T> CompletionStage<T> submit(RedisRequest<T> request) {
        CompletableFuture<T> result = new CompletableFuture<>();
        RedisAttempt<T> first = RedisAttempt.first(request, routed, timeout);
        timeouts.watch(first.call());
        submit(first, result);
        return result;
    }

    private <T> void submit(RedisAttempt<T> attempt, CompletableFuture<T> result) {
        dispatch(attempt.call());
        var unused = attempt.call().whenComplete((reply, failure) -> {
            try {
                RedisAttempt<T> next = failure == null ? attempt.after(reply) : attempt.after(failure);
                if (next != null) {
                    timeouts.watch(next.call(), next.remainingNanos());
                    timeouts.later(next.pauseNanos(), () -> submit(next, result));
                } else if (failure == null) {
                    result.complete(attempt.request().decoder().apply(reply));
                } else {
                    throw failed(attempt, failure);
                }
            } catch (RuntimeException e) {
                // What no driver threw, such as the failure of a logger: the server may have done what was asked.
                result.completeExceptionally(
                        RedisErrors.translate(e, attempt.call().wasSent()));
            } catch (Error e) {
                result.completeExceptionally(e);
            }
        });
    }

    private LockException failed(RedisAttempt<?> attempt, Throwable failure) {
        if (exit != null) {
            exit.after(failure);
        }
        return attempt.failed(failure);
    }

    /** Any command, without a thread. */
    CompletionStage<List<Object>> submit(RedisCall call) {
        timeouts.watch(call);
        dispatch(call);
        return call;
    }

    /** Ends what is not completed within the timeout of an operation that began at a time. */
    void endAfter(long startNanos, CompletableFuture<?> result) {
        long left = startNanos + timeout.toNanos() - System.nanoTime();
        timeouts.later(left, () -> result.completeExceptionally(new TimeoutException()));
    }

    /** The driver reports most failures through the call, and throws for a slot that no node serves. */
    private void dispatch(RedisCall call) {
        try {
            connection.dispatch(call);
        } catch (RuntimeException e) {
            call.completeExceptionally(e);
        }
    }
}
