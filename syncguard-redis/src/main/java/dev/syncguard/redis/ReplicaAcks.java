package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.spi.ReleaseRequest;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Lets a grant or extension count only if replicas have it: WAIT on the connection that ran the script, because the server
 * waits for the replicas to reach what that connection wrote last. WAIT blocks its connection, so these are used for
 * nothing else, and extensions do not queue behind acquires.
 */
final class ReplicaAcks {

    private final int replicas;
    private final Duration patience;
    private final RedisExecutor acquires;
    private final RedisExecutor extensions;
    private final RedisExecutor others;
    private final RedisRequests requests;

    ReplicaAcks(
            int replicas,
            Duration patience,
            RedisExecutor acquires,
            RedisExecutor extensions,
            RedisExecutor others,
            RedisRequests requests) {
        this.replicas = replicas;
        this.patience = patience;
        this.acquires = acquires;
        this.extensions = extensions;
        this.others = others;
        this.requests = requests;
    }

    <T> CompletionStage<T> acquire(RedisRequest<T> request, ReleaseRequest undo, Predicate<T> isGrant) {
        return submit(acquires, request, undo, isGrant);
    }

    <T> CompletionStage<T> extend(RedisRequest<T> request, ReleaseRequest undo, Predicate<T> isGrant) {
        return submit(extensions, request, undo, isGrant);
    }

    private <T> CompletionStage<T> submit(
            RedisExecutor executor, RedisRequest<T> request, ReleaseRequest undo, Predicate<T> isGrant) {
        return executor.submit(request).thenCompose(outcome -> {
            if (!isGrant.test(outcome)) {
                return CompletableFuture.completedStage(outcome);
            }
            RedisCall wait =
                    RedisCall.of(CommandType.WAIT, Integer.toString(replicas), Long.toString(patience.toMillis()));
            return executor.submit(wait)
                    .handle((reply, failure) -> acknowledged(undo, outcome, reply, failure))
                    .thenCompose(stage -> stage);
        });
    }

    private <T> CompletionStage<T> acknowledged(ReleaseRequest undo, T outcome, List<Object> reply, Throwable failure) {
        if (failure == null && RedisReply.number(reply, 0) >= replicas) {
            return CompletableFuture.completedStage(outcome);
        }
        return others.submit(requests.release(undo)).handle((released, releaseFailure) -> {
            boolean taken = releaseFailure == null && released == ReleaseOutcome.RELEASED;
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "fewer than " + replicas + " replicas acknowledged the lock in time; it was given back",
                    failure,
                    !taken);
        });
    }
}
