package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets a grant or extension count only if replicas have it: WAIT on the connection that ran the script, because the server
 * waits for the replicas to reach what that connection wrote last. WAIT blocks its connection, so these are used for
 * nothing else, and extensions do not queue behind acquires. On a connection that was opened anew in between, WAIT waits for
 * nothing, and the server behind it may be another one ({@link WatchedConnection}): its answer does not count.
 *
 * <p>What too few replicas have is of unknown outcome, and nothing is taken back here. The guard releases such a grant, or
 * asks for it again under the same lock id: a release of ours that is still under way would hit that. An extension has a
 * holder, who keeps the lock for the time before it.
 */
final class ReplicaAcks {

    private final int replicas;
    private final Channel acquires;
    private final Channel extensions;

    /** A connection and the WAITs on it. */
    private record Channel(WatchedConnection connection, WaitRounds rounds) {}

    ReplicaAcks(int replicas, Duration patience, WatchedConnection acquires, WatchedConnection extensions) {
        this.replicas = replicas;
        this.acquires = new Channel(acquires, new WaitRounds(acquires.executor(), replicas, patience));
        this.extensions = new Channel(extensions, new WaitRounds(extensions.executor(), replicas, patience));
    }

    <T> CompletionStage<T> acquire(RedisRequest<T> request, Predicate<T> isGrant) {
        return submit(acquires, request, isGrant);
    }

    <T> CompletionStage<T> extend(RedisRequest<T> request, Predicate<T> isGrant) {
        return submit(extensions, request, isGrant);
    }

    /** What is not answered when the operation's time is over does not count. */
    private <T> CompletionStage<T> submit(Channel channel, RedisRequest<T> request, Predicate<T> isGrant) {
        WatchedConnection connection = channel.connection();
        long losses = connection.losses();
        long start = System.nanoTime();
        return connection.executor().submit(request).thenCompose(outcome -> {
            if (!isGrant.test(outcome)) {
                return CompletableFuture.completedStage(outcome);
            }
            CompletableFuture<Long> found =
                    channel.rounds().replicas().toCompletableFuture().copy();
            connection.executor().endAfter(start, found);
            return found.handle((acknowledged, failure) -> {
                if (failure != null || acknowledged < replicas || connection.losses() != losses) {
                    throw tooFew(failure);
                }
                return outcome;
            });
        });
    }

    private LockException tooFew(@Nullable Throwable failure) {
        return new LockException(
                Code.SERVICE_UNAVAILABLE,
                "fewer than " + replicas + " replicas acknowledged in time that they have this, so it does not count",
                failure,
                true);
    }
}
