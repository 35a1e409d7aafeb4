package dev.syncguard.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests over one connection: one EVALSHA each. A server that does not know the script has done nothing, and gets
 * the whole text instead, once.
 */
final class RedisExecutor {

    private final StatefulConnection<String, String> connection;
    private final RedisTimeouts timeouts;
    private final Duration timeout;
    private final boolean routed;

    RedisExecutor(StatefulConnection<String, String> connection, RedisTimeouts timeouts, Duration timeout) {
        this.connection = connection;
        this.timeouts = timeouts;
        this.timeout = timeout;
        this.routed = connection instanceof StatefulRedisClusterConnection;
    }

    /** On the caller's thread, which parks until the driver's thread has the reply. */
    <T> T await(RedisRequest<T> request) {
        RedisCall call = RedisCall.bySha(request, routed);
        try {
            return request.decoder().apply(reply(call));
        } catch (ExecutionException e) {
            if (!RedisErrors.isUnknownScript(e)) {
                throw RedisErrors.translate(e, call.wasSent());
            }
        }
        return request.decoder().apply(await(RedisCall.byText(request, routed)));
    }

    /** Any command, on the caller's thread. */
    List<Object> await(RedisCall call) {
        try {
            return reply(call);
        } catch (ExecutionException e) {
            throw RedisErrors.translate(e, call.wasSent());
        }
    }

    private List<Object> reply(RedisCall call) throws ExecutionException {
        dispatch(call);
        try {
            return Uninterruptible.get(call, timeout.toNanos());
        } catch (TimeoutException e) {
            // Keeps a call that the driver has not sent yet from being sent later.
            call.completeExceptionally(e);
            throw new ExecutionException(e);
        }
    }

    /** The end of several commands that were sent without a thread; each has its own timeout. */
    <T> T await(CompletionStage<T> stage) {
        try {
            return Uninterruptible.get(stage.toCompletableFuture(), 4 * timeout.toNanos());
        } catch (ExecutionException | TimeoutException e) {
            throw RedisErrors.translate(e, true);
        }
    }

    /** Without a thread. */
    <T> CompletionStage<T> submit(RedisRequest<T> request) {
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(request, RedisCall.bySha(request, routed), true, result);
        return result;
    }

    private <T> void submit(RedisRequest<T> request, RedisCall call, boolean repeat, CompletableFuture<T> result) {
        submit(call).whenComplete((reply, failure) -> {
            if (failure == null) {
                complete(result, request, reply);
            } else if (repeat && RedisErrors.isUnknownScript(failure)) {
                submit(request, RedisCall.byText(request, routed), false, result);
            } else {
                result.completeExceptionally(RedisErrors.translate(failure, call.wasSent()));
            }
        });
    }

    /** Any command, without a thread. */
    CompletionStage<List<Object>> submit(RedisCall call) {
        timeouts.watch(call);
        dispatch(call);
        return call;
    }

    private static <T> void complete(CompletableFuture<T> result, RedisRequest<T> request, List<Object> reply) {
        try {
            result.complete(request.decoder().apply(reply));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
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
